import type { Deps } from '#server/platform/deps.ts';
import { type SQL, and, eq, lt, or, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import { GENERATION_STATUSES } from '#contract/statuses.ts';
import type { List } from '#contract/primitives.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { createdBetween } from '#server/platform/db/created-within.ts';
import { workflowRuns } from '#server/platform/db/schema/workflow-schema.ts';
import { madeBy, type WorkScope } from '#server/platform/db/work-scope.ts';
import { parsePageCursor, readSizedPage } from '#server/platform/core/list-page.ts';
import { presentRuns, selectListedRuns } from './find-run.ts';

/** Shortens long inputs; an unknown status matches nothing. @throws {ApiError} 400 for an unknown cursor */
export async function listRuns(
  deps: Deps,
  work: WorkScope,
  query: QueryOf<'list_workflow_runs'>,
): Promise<List<WorkflowRun>> {
  const { organization_id } = work;
  const scope = { organization_id, list: 'workflow_runs' } as const;
  const status = GENERATION_STATUSES.find((known) => known === query.status);
  const where = and(
    eq(workflowRuns.organization_id, organization_id),
    madeBy(workflowRuns.created_by, work),
    query.starter_slug === undefined ? undefined : eq(workflowRuns.starter_slug, query.starter_slug),
    query.status === undefined ? undefined : status ? eq(workflowRuns.status, status) : sql`false`,
    createdBetween(workflowRuns.created_at, query),
    query.q === undefined ? undefined : matchesText(query.q),
  );
  return readSizedPage(deps.secrets, scope, {
    limit: query.limit,
    after: parsePageCursor(deps.secrets, scope, query.cursor),
    read: (before, count) =>
      selectListedRuns(deps.db, and(where, before === undefined ? undefined : lt(workflowRuns.id, before)), count),
    position: ({ run }) => run.id,
    present: (page) => presentRuns(deps, organization_id, page, false),
  });
}

/** Matches text in the starter's name or the input excerpt that lists show; ignores case, and takes `%` and `_` literally. */
function matchesText(text: string): SQL | undefined {
  const pattern = `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return or(
    sql`${workflowRuns.starter_name} ilike ${pattern}`,
    sql`exists (select from json_each_text(coalesce(${workflowRuns.input_excerpt}, ${workflowRuns.input})) as given where given.value ilike ${pattern})`,
  );
}
