import { and, eq } from 'drizzle-orm';
import type { StarterSource } from '#contract/workflow-status.ts';
import type { Caller } from '../../caller.ts';
import { localOrigin } from '../../config.ts';
import { workflowStarters } from '../../db/workflow-schema.ts';
import { apiKeys } from '../../db/schema.ts';
import type { Deps } from '../../deps.ts';
import { readDefinition } from '../definition/read-definition.ts';
import type { Workflow } from '../definition/workflow.ts';

/** A starter that an organization can run. */
export interface Starter {
  source: StarterSource;
  workflow: Workflow;
  /** Of one that the organization saved. */
  saved: { by: { id: string; name: string }; created_at: Date; updated_at: Date } | null;
}

export type FindingStarters = Pick<Deps, 'config' | 'db' | 'starters'>;
type Owner = Pick<Caller, 'organization_id'>;

/** The organization's own goes before one that everybody has. @returns null where there is none */
export async function findStarter(
  deps: FindingStarters,
  { organization_id }: Owner,
  slug: string,
): Promise<Starter | null> {
  const [row] = await selectSaved(deps, organization_id, slug);
  const own = row && asStarter(deps, row);
  return own ?? sharedStarters(deps).find(({ workflow }) => workflow.definition.slug === slug) ?? null;
}

/** By name. */
export async function listOf(deps: FindingStarters, { organization_id }: Owner): Promise<Starter[]> {
  const saved = (await selectSaved(deps, organization_id)).flatMap((row) => asStarter(deps, row) ?? []);
  const taken = new Set(saved.map(({ workflow }) => workflow.definition.slug));
  const shared = sharedStarters(deps).filter(({ workflow }) => !taken.has(workflow.definition.slug));
  const nameOf = ({ workflow }: Starter) => workflow.definition.name;
  return [...saved, ...shared].sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'en'));
}

const sharedStarters = ({ starters }: Pick<Deps, 'starters'>): Starter[] =>
  starters.map((starter) => ({ ...starter, saved: null }));

type SavedRow = Awaited<ReturnType<typeof selectSaved>>[number];

function selectSaved({ db }: Pick<Deps, 'db'>, organization_id: string, slug?: string) {
  return db
    .select({ starter: workflowStarters, key_name: apiKeys.name })
    .from(workflowStarters)
    .innerJoin(apiKeys, eq(apiKeys.id, workflowStarters.created_by))
    .where(
      and(
        eq(workflowStarters.organization_id, organization_id),
        slug === undefined ? undefined : eq(workflowStarters.slug, slug),
      ),
    );
}

/** null: it was right when it was saved, but the tasks have changed since. */
function asStarter({ config }: Pick<Deps, 'config'>, { starter, key_name }: SavedRow): Starter | null {
  const read = readDefinition(starter.definition, localOrigin(config));
  if (!read.ok) return null;
  const { created_by, created_at, updated_at } = starter;
  return {
    source: 'own',
    workflow: read.workflow,
    saved: { by: { id: created_by, name: key_name }, created_at, updated_at },
  };
}
