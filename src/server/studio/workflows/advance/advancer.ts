import { and, asc, eq, exists, inArray, lt, not, or } from 'drizzle-orm';
import type { GenerationStatus } from '#contract/statuses.ts';
import { generations } from '#server/platform/db/schema.ts';
import { workflowItems, workflowRuns } from '#server/platform/db/workflow-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { repeatEvery } from '#server/platform/jobs/repeat-every.ts';
import { enqueueRun } from '#server/studio/workflows/enqueue-run.ts';
import { advanceRun } from './advance-run.ts';

/** Concurrent runs of one process; each may wait while a file on another server is measured. */
const MAX_CONCURRENT = 4;
const POLL_INTERVAL_MS = 30_000;
const BATCH_SIZE = 500;

/** @returns a function that stops claiming runs and resolves when active ones have finished */
export async function startAdvancer(deps: Deps, shutdown: AbortSignal): Promise<() => Promise<void>> {
  const stopTaking = await deps.queue.work('workflow.advance', MAX_CONCURRENT, ({ run_id }) =>
    advanceRun(deps, run_id, shutdown),
  );
  const stopLooking = repeatEvery(deps, POLL_INTERVAL_MS, () => requeueStalledRuns(deps, POLL_INTERVAL_MS));
  await requeueStalledRuns(deps, 0);
  return async () => {
    await stopLooking();
    await stopTaking();
  };
}

/** Enqueues unfinished runs without active work, in case their job was lost. Returns how many. */
export async function requeueStalledRuns(deps: Deps, still_for_ms: number): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - still_for_ms);
  const noneIs = (...statuses: GenerationStatus[]) =>
    not(
      exists(
        deps.db
          .select({ id: generations.id })
          .from(workflowItems)
          .innerJoin(generations, eq(generations.id, workflowItems.generation_id))
          .where(and(eq(workflowItems.run_id, workflowRuns.id), inArray(generations.status, statuses))),
      ),
    );
  const { status } = workflowRuns;
  const rows = await deps.db
    .select({ id: workflowRuns.id })
    .from(workflowRuns)
    .where(
      and(
        still_for_ms > 0 ? lt(workflowRuns.updated_at, before) : undefined,
        or(
          and(inArray(status, ['queued', 'running']), noneIs('queued', 'running')),
          and(eq(status, 'manual_review'), noneIs('queued', 'running', 'manual_review')),
        ),
      ),
    )
    .orderBy(asc(workflowRuns.updated_at))
    .limit(BATCH_SIZE);
  for (const { id } of rows) await deps.db.transaction((tx) => enqueueRun(deps, tx, id));
  return rows.length;
}
