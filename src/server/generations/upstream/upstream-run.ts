import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '#server/deps.ts';
import type { PolledJob, UpstreamEngine } from '#server/engines/upstream.ts';
import { type ActiveLease, type Lease, suspendGeneration } from '../generation-lease.ts';
import type { ResolveReferencesDeps } from '../resolve-references.ts';
import type { UpstreamJobRow } from './upstream-job.ts';

/** Answers in a row that an adapter can't cope with, before a person has to look. */
export const MAX_ADAPTER_FAULTS = 5;

/** A generation that another service does, in the hands of this worker. */
export interface UpstreamRun {
  deps: ResolveReferencesDeps & Pick<Deps, 'engines' | 'log' | 'prices' | 'queue' | 'transition_listeners'>;
  lease: Lease;
  active_lease: ActiveLease;
  engine: UpstreamEngine;
  /** Aborted when this process is to end. */
  shutdown: AbortSignal;
  /** Aborted when even the answer to a submit can be waited for no longer. */
  give_up: AbortSignal;
}

/** What every request of a run says of the job. */
export const buildJobRequest = (
  { lease: { row }, active_lease }: UpstreamRun,
  work_dir: string,
  signal: AbortSignal,
): PolledJob => ({
  generation_id: row.id,
  task: row.task,
  model: row.model,
  input: row.input,
  submit_key: row.id,
  work_dir,
  signal,
  onProgress: active_lease.setProgress,
});

/** Of the time that the job has, from its first submit on, what is left. Negative where it is over. */
export const remainingMs = ({ deps, engine }: UpstreamRun, { submitted_at }: UpstreamJobRow): number =>
  submitted_at.getTime() + engine.deadline_ms - deps.clock.now().getTime();

/**
 * Waits, with the lease kept up for a short while, and without it for a longer one.
 * @param park_from_ms what counts as longer
 * @returns false where this worker is to do no more: it has let go, or lost the lease
 * @throws the reason of the shutdown
 */
export async function waitOrSuspend(run: UpstreamRun, wait_ms: number, park_from_ms: number): Promise<boolean> {
  const { lost } = run.active_lease;
  run.shutdown.throwIfAborted();
  if (lost.aborted) return false;
  if (wait_ms >= park_from_ms) {
    await suspendGeneration(run.deps, run.lease, { wait_ms, progress: run.active_lease.progress() });
    return false;
  }
  await delay(wait_ms, undefined, { signal: AbortSignal.any([lost, run.shutdown]) }).catch(() => undefined);
  run.shutdown.throwIfAborted();
  return !lost.aborted;
}
