import { and, asc, eq, exists, inArray, lt, not, or } from 'drizzle-orm';
import type { GenerationStatus } from '#contract/statuses.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { workflowItems, workflowRuns } from '#server/platform/db/schema/workflow-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { repeatEvery } from '#server/platform/jobs/repeat-every.ts';
import { enqueueRun } from '#server/studio/workflows/enqueue-run.ts';
import type { Workflow } from '#server/studio/workflows/definition/workflow.ts';
import { startStep } from './start-step.ts';
import { completeRun, failedEnd, finishRun } from './finish-run.ts';
import { enqueueItem } from './enqueue-item.ts';
import { type RunAction, type RunPlan, planRun } from './plan-run.ts';
import { type StepOutcome, type RunState, lockRun, readRunState } from './run-state.ts';
import { completeStep } from './step-errors.ts';

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
export async function requeueStalledRuns(deps: Deps, stillForMs: number): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - stillForMs);
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
        stillForMs > 0 ? lt(workflowRuns.updated_at, before) : undefined,
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

/** Each round starts, queues or completes something, and a run has at most 30 steps. */
const MAX_ROUNDS = 100;
/** One expression may take seconds, so other runs get their turn after this time. */
const SLICE_MS = 2_000;

/**
 * Does everything that can be done now. Each action is a transaction that checks its precondition, so a call may be
 * interrupted anywhere, repeated, and run in several processes. @throws if the database can't be reached or on abort
 * @param sliceMs after this time it stops and enqueues the run again
 */
export async function advanceRun(deps: Deps, runId: string, signal: AbortSignal, sliceMs = SLICE_MS): Promise<void> {
  const startedMs = performance.now();
  const full = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    signal.throwIfAborted();
    const state = await readRunState(deps, runId);
    if (!state) return;
    const { workflow } = state;
    if (!workflow) return completeRun(deps, runId, failedEnd(INVALID_WORKFLOW_FAILURE));
    const { actions, status } = planRun(state.run, workflow.steps, state.parts);
    if (actions.length === 0) return recordWaitingStatus(deps, state, status);
    const done: StepOutcome[] = [];
    for (const action of actions) {
      if (done.length > 0 && performance.now() - startedMs > sliceMs) {
        return deps.db.transaction((tx) => enqueueRun(deps, tx, runId));
      }
      if ('step_key' in action && full.has(action.step_key)) continue;
      const next = await runAction(deps, state, workflow, action, signal);
      if (next === 'full' && 'step_key' in action) full.add(action.step_key);
      done.push(next);
    }
    // A generation of the run enqueues it again when it completes.
    if (!done.includes('look')) return;
  }
  throw new Error(`Run ${runId} does not settle.`);
}

const INVALID_WORKFLOW_FAILURE = {
  code: 'workflow_invalid',
  message: 'This workflow no longer matches the tasks of this service. Edit it and start a new run.',
  retryable: false,
};

async function runAction(
  deps: Deps,
  state: RunState,
  workflow: Workflow,
  action: RunAction,
  signal: AbortSignal,
): Promise<StepOutcome> {
  if (action.do === 'finish') return finishRun(deps, state, workflow).then(() => 'wait');
  const { step_key } = action;
  const step = workflow.steps.find(({ key }) => key === step_key);
  if (!step) throw new Error(`Run ${state.run.id} has no step ${step_key}.`);
  if (action.do === 'stop') return completeStep(deps, { run_id: state.run.id, key: step_key }, { state: 'stopped' });
  if (action.do === 'begin') return startStep({ deps, state, step }, signal);
  return enqueueItem({ deps, state, step }, action.item, signal);
}

async function recordWaitingStatus({ db, clock }: Deps, { run }: RunState, status: RunPlan['status']): Promise<void> {
  if (run.status === status) return;
  await db.transaction(async (tx) => {
    const now = await lockRun(tx, run.id);
    if (now?.status !== run.status) return;
    await tx.update(workflowRuns).set({ status, updated_at: clock.now() }).where(eq(workflowRuns.id, run.id));
  });
}
