import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '#server/platform/deps.ts';
import type { PolledJob, UpstreamEngine } from '#server/models/engine/upstream.ts';
import { type ActiveLease, type Lease, suspendGeneration } from '#server/studio/generations/generation-lease.ts';
import { OUTAGE_LIMIT_MS } from '#server/studio/generations/results/storage-outage.ts';
import type { UpstreamJobRow } from './upstream-job.ts';

/** Consecutive invalid responses before the generation goes to manual review. */
export const MAX_ADAPTER_FAULTS = 5;

export interface UpstreamRun {
  deps: Deps;
  lease: Lease;
  activeLease: ActiveLease;
  engine: UpstreamEngine;
  shutdown: AbortSignal;
  /** Aborted when the process can no longer wait even for the response to a submit. */
  giveUp: AbortSignal;
}

/** What `callUpstream` needs of a run. */
export const describeCall = ({ deps: { log }, lease, engine }: UpstreamRun, operation: 'submit' | 'poll') => ({
  log,
  operation,
  engine,
  generation_id: lease.row.id,
});

export const buildJobRequest = (
  { lease: { row }, activeLease }: UpstreamRun,
  workDir: string,
  signal: AbortSignal,
): PolledJob => ({
  generation_id: row.id,
  task: row.task,
  model: row.model,
  model_version: row.model_version,
  input: row.input,
  submit_key: row.id,
  workDir,
  signal,
  onProgress: activeLease.setProgress,
});

/**
 * The time until the deadline, which counts from the first submit; negative once it has passed. A result that waits for
 * storage has longer.
 */
export function remainingMs({ deps, engine, lease: { row } }: UpstreamRun, { submitted_at }: UpstreamJobRow): number {
  const storageDeadlineMs = row.storage_failed_at ? row.storage_failed_at.getTime() + OUTAGE_LIMIT_MS : 0;
  const deadlineMs = Math.max(submitted_at.getTime() + engine.deadlineMs, storageDeadlineMs);
  return deadlineMs - deps.clock.now().getTime();
}

/**
 * Waits; from `suspendFromMs` on it releases the lease and returns at once.
 * @returns false if the run is suspended or the lease lost
 * @throws the reason of the shutdown
 */
export async function waitOrSuspend(run: UpstreamRun, waitMs: number, suspendFromMs: number): Promise<boolean> {
  const { lost } = run.activeLease;
  run.shutdown.throwIfAborted();
  if (lost.aborted) return false;
  if (waitMs >= suspendFromMs) {
    await suspendGeneration(run.deps, run.lease, { waitMs, progress: run.activeLease.progress() });
    return false;
  }
  await delay(waitMs, undefined, { signal: AbortSignal.any([lost, run.shutdown]) }).catch(() => undefined);
  run.shutdown.throwIfAborted();
  return !lost.aborted;
}
