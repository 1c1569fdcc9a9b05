import type { Db } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type SQL, and, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import { workflowRuns } from '#server/platform/db/schema/workflow-schema.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { type PresentableRun, presentRun } from './present-run.ts';
import { readRunCosts } from './run-costs.ts';
import { type RunRow, readRunSteps } from './run-steps.ts';
import { readPreviews, readRunAssets } from './step-outputs.ts';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import { createMediaLink, parseLocalMediaUrl } from '#server/studio/assets/media-links.ts';

interface FoundRun {
  run: RunRow;
}
type ListedRun = Pick<PresentableRun, 'run'>;

const { definition: _definition, input_excerpt, output_excerpt, ...columns } = getTableColumns(workflowRuns);

/** Without definition, input and output, which a caller can make as large as a body. */
const listedColumns = {
  ...columns,
  input: sql<RunRow['input']>`coalesce(${input_excerpt}, ${workflowRuns.input})`,
  input_truncated: sql<boolean>`${input_excerpt} is not null`,
  output: sql<RunRow['output']>`coalesce(${output_excerpt}, ${workflowRuns.output})`,
  output_truncated: sql<boolean>`${output_excerpt} is not null`,
  previous_input: sql<RunRow['input'] | null>`(
    select coalesce(previous.input_excerpt, previous.input) from ${workflowRuns} as previous
    where previous.organization_id = workflow_runs.organization_id
      and previous.starter_slug = workflow_runs.starter_slug and previous.id < workflow_runs.id
    order by previous.id desc limit 1)`,
};

export const selectListedRuns = (db: Db, where: SQL | undefined, limit: number): Promise<ListedRun[]> =>
  db.select({ run: listedColumns }).from(workflowRuns).where(where).orderBy(desc(workflowRuns.id)).limit(limit);

/** @throws {ApiError} 404 `workflow_run_not_found`, the same for another organization's run as for an unknown one */
export async function findRun(db: Db, organizationId: string, id: string): Promise<FoundRun> {
  const [row] = await db
    .select({ run: workflowRuns })
    .from(workflowRuns)
    .where(and(eq(workflowRuns.organization_id, organizationId), eq(workflowRuns.id, id)));
  if (row) return row;
  throw new ApiError('workflow_run_not_found', 'Workflow run not found.');
}

/** @throws {ApiError} 404 `workflow_run_not_found` */
export async function readRun(deps: Deps, organizationId: string, id: string): Promise<WorkflowRun> {
  const row = await findRun(deps.db, organizationId, id);
  const [run] = await presentRuns(deps, organizationId, [row], true);
  if (!run) throw new Error('A run was not presented.');
  return run;
}

export async function presentRuns(
  deps: Deps,
  organizationId: string,
  rows: readonly ListedRun[],
  showsMade: boolean,
): Promise<WorkflowRun[]> {
  const ids = rows.map(({ run }) => run.id);
  const parts = await readRunSteps(deps, ids, 'shown');
  const costs = await readRunCosts(deps, ids);
  const assetsByGeneration = showsMade ? await readRunAssets(deps, parts.values()) : null;
  const previews = showsMade ? null : await readPreviews(deps, rows, parts);
  const retries = await readRetries(deps.db, ids);
  const creatorOf = await readCreators(
    deps,
    rows.flatMap(({ run: { created_by, canceled_by } }) => [created_by, ...(canceled_by ? [canceled_by] : [])]),
  );
  const outputs = await renewLinks(
    deps,
    organizationId,
    rows.map(({ run }) => run.output),
  );
  return rows.map((row, index) =>
    presentRun({
      ...row,
      creatorOf,
      retried_by: retries.get(row.run.id) ?? null,
      parts: parts.get(row.run.id) ?? new Map(),
      costs: costs.get(row.run.id) ?? new Map(),
      assetsByGeneration,
      preview: previews ? (previews.get(row.run.id) ?? null) : undefined,
      output: outputs[index] ?? null,
    }),
  );
}

async function readRetries(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { id, chain_id, retry_of } = workflowRuns;
  const chains = db
    .select({ chain_id })
    .from(workflowRuns)
    .where(inArray(id, [...ids]));
  const rows = await db.select({ id, retry_of }).from(workflowRuns).where(inArray(chain_id, chains));
  return new Map(rows.flatMap((row) => (row.retry_of === null ? [] : [[row.retry_of, row.id]])));
}

/**
 * Stored links are as old as the run and expire. Renews links to own media only, because a link grants access to
 * anyone who has it; `expires_at` beside a link changes with it.
 */
async function renewLinks<T>(deps: Deps, organizationId: string, values: readonly T[]): Promise<T[]> {
  const named = new Set<string>();
  for (const value of values) {
    mapStrings(value, (text) => {
      const localMedia = parseLocalMediaUrl(deps, text);
      if (localMedia) named.add(localMedia.id);
      return text;
    });
  }
  const ids = await findOwnIds(deps.db, organizationId, [...named]);
  const renew = (text: string): string => {
    const localMedia = parseLocalMediaUrl(deps, text);
    if (!localMedia || !ids.has(localMedia.id)) return text;
    const copy = new URL(text).searchParams.get('as');
    return `${createMediaLink(deps, localMedia.id).url}${copy === null ? '' : `&as=${encodeURIComponent(copy)}`}`;
  };
  // The mapping changes texts only, so the type stays the same.
  return values.map((value) => mapStrings(value, renew, (url) => linkExpiry(deps, ids, url)) as T);
}

function linkExpiry(deps: Deps, ids: ReadonlySet<string>, url: string): string | null {
  const localMedia = parseLocalMediaUrl(deps, url);
  return localMedia && ids.has(localMedia.id) ? createMediaLink(deps, localMedia.id).expires_at : null;
}

async function findOwnIds(db: Db, organizationId: string, ids: readonly string[]): Promise<Set<string>> {
  const ownIds = new Set<string>();
  if (ids.length === 0) return ownIds;
  for (const table of [assets, uploads]) {
    const rows = await db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.organization_id, organizationId), inArray(table.id, [...ids])));
    for (const { id } of rows) ownIds.add(id);
  }
  return ownIds;
}

/** Copies a value and replaces its texts. @param expiry returns the expiry of the link beside an `expires_at` */
function mapStrings(
  value: unknown,
  replace: (text: string) => string,
  expiry?: (url: string) => string | null,
): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, replace, expiry));
  if (typeof value !== 'object' || value === null) return value;
  const changed = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, mapStrings(part, replace, expiry)]),
  );
  if (!expiry || !('url' in value) || !('expires_at' in value) || typeof value.url !== 'string') return changed;
  const expiresAt = expiry(value.url);
  return expiresAt === null ? changed : { ...changed, expires_at: expiresAt };
}
