import type { Deps } from '#server/platform/deps.ts';
import { and, eq, inArray } from 'drizzle-orm';
import type { Activity } from '#contract/resources/activity.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { workflowRuns } from '#server/platform/db/schema/workflow-schema.ts';
import { madeByCaller } from '#server/accounts/people/made-by-caller.ts';
import { presentRuns, selectListedRuns } from './find-run.ts';

const MAX_SHOWN = 50;

/** The unfinished workflow runs of the caller, newest first. Decision: Activity */
export async function listActiveRuns(deps: Deps, caller: Caller): Promise<Activity['workflow_runs']> {
  const { organization_id } = caller;
  const isOwn = and(
    eq(workflowRuns.organization_id, organization_id),
    inArray(workflowRuns.status, ['queued', 'running']),
    madeByCaller(workflowRuns.created_by, caller),
  );
  const runs = await presentRuns(deps, organization_id, await selectListedRuns(deps.db, isOwn, MAX_SHOWN), false);
  return runs.map(({ id, starter_name, starter_slug, status, progress }) => ({
    id,
    starter_name: starter_name ?? starter_slug,
    status: status === 'queued' ? 'queued' : 'running',
    progress: progress ?? null,
  }));
}
