import type { Db } from '#server/platform/db/db.ts';
import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { StarterSource } from '#contract/statuses.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import { workflowStarters } from '#server/platform/db/schema/workflow-schema.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { parseDefinition } from '#server/studio/workflows/definition/parse-definition.ts';
import { modelsKey, storedModels } from '#server/studio/workflows/definition/step-models.ts';
import type { Workflow } from '#server/studio/workflows/definition/workflow.ts';

export interface RunnableStarter {
  source: StarterSource;
  workflow: Workflow;
  saved: { by: { id: string; name: string }; created_at: Date; updated_at: Date } | null;
}

type Owner = Pick<Caller, 'organization_id' | 'key_id'>;

/** Finds a starter; the organization's own takes precedence over a shared one. Returns null if there is none. */
export async function findStarter(deps: Deps, caller: Owner, slug: string): Promise<RunnableStarter | null> {
  const [row] = await selectSaved(deps.db, caller.organization_id, slug);
  const starter = row && (await toStarter(deps, caller, row));
  return starter ?? sharedStarters(deps).find(({ workflow }) => workflow.definition.slug === slug) ?? null;
}

export async function listStarters(deps: Deps, caller: Owner): Promise<RunnableStarter[]> {
  const saved: RunnableStarter[] = [];
  // One after another, because a key may have only a few definitions waiting to be parsed.
  for (const row of await selectSaved(deps.db, caller.organization_id)) {
    const starter = await toStarter(deps, caller, row);
    if (starter) saved.push(starter);
  }
  const slugs = new Set(saved.map(({ workflow }) => workflow.definition.slug));
  const shared = sharedStarters(deps).filter(({ workflow }) => !slugs.has(workflow.definition.slug));
  const nameOf = ({ workflow }: RunnableStarter) => workflow.definition.name;
  return [...saved, ...shared].sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'en'));
}

const sharedStarters = ({ starters }: Deps): RunnableStarter[] =>
  starters.map((starter) => ({ ...starter, saved: null }));

type SavedRow = Awaited<ReturnType<typeof selectSaved>>[number];

function selectSaved(db: Db, organizationId: string, slug?: string) {
  return db
    .select({ starter: workflowStarters, key_name: apiKeys.name })
    .from(workflowStarters)
    .innerJoin(apiKeys, eq(apiKeys.id, workflowStarters.created_by))
    .where(
      and(
        eq(workflowStarters.organization_id, organizationId),
        slug === undefined ? undefined : eq(workflowStarters.slug, slug),
      ),
    );
}

/** Returns null if the tasks have changed so that the definition is no longer valid. */
async function toStarter(deps: Deps, caller: Owner, row: SavedRow): Promise<RunnableStarter | null> {
  const workflow = await loadWorkflow(deps, caller, row);
  if (!workflow) return null;
  const { starter, key_name } = row;
  const { created_by, created_at, updated_at } = starter;
  return {
    source: 'own',
    workflow,
    saved: { by: { id: created_by, name: key_name }, created_at, updated_at },
  };
}

/** By the text of the definition: parsing expressions takes longer than looking them up. */
const workflowCache = new Map<string, Promise<Workflow | null>>();
const MAX_CACHED = 500;

function loadWorkflow(
  { config, expressions, offering }: Deps,
  { organization_id, key_id }: Owner,
  { starter }: SavedRow,
) {
  const origin = ownMediaOrigin(config);
  const models = storedModels(offering.current(), organization_id);
  const key = createHash('sha256')
    .update(JSON.stringify([origin, starter.definition, modelsKey(models)]))
    .digest('base64');
  const cached = workflowCache.get(key);
  if (cached) return cached;
  const readNames = (templates: Parameters<typeof expressions.readNames>[0]) =>
    expressions.readNames(templates, { key_id });
  const reading = parseDefinition(starter.definition, origin, readNames, models).then((read) =>
    read.ok ? read.workflow : null,
  );
  if (workflowCache.size >= MAX_CACHED) workflowCache.clear();
  workflowCache.set(key, reading);
  // A failure says nothing about the definition.
  reading.catch(() => workflowCache.delete(key));
  return reading;
}
