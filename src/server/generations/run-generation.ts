import type { Deps } from '#server/deps.ts';
import { isDatabaseUnreachable } from '#server/db/is-unreachable.ts';
import type { Engine } from '#server/engines/engine.ts';
import { findEngine } from '#server/catalog/availability.ts';
import { cancelIfRevoked } from './cancel-revoked.ts';
import { type GenerationFailure, RunError, UNKNOWN_FAILURE, toFailure } from './failure.ts';
import { type ActiveLease, type Lease, claimGeneration, releaseLease, maintainLease } from './generation-lease.ts';
import type { ResolveReferencesDeps } from './resolve-references.ts';
import { openReview } from './review/open-review.ts';
import { runLocal } from './run-local.ts';
import { settleFailed } from './settle-generation.ts';
import { runUpstream } from './upstream/run-upstream.ts';
import { isUpstreamEngine, findUpstreamEngine } from './upstream/find-upstream-engine.ts';
import { type UpstreamJobRow, readUpstreamJob } from './upstream/upstream-job.ts';

export type RunDeps = ResolveReferencesDeps &
  Pick<Deps, 'engines' | 'log' | 'prices' | 'queue' | 'transition_listeners'>;

export interface StopSignals {
  /** Aborted when this process is to end; the generation is then handed back. */
  shutdown: AbortSignal;
  /** Aborted a while later: what was sent to another service is waited for until then. At once where there is none. */
  give_up?: AbortSignal;
  /** For work in this process. */
  deadline_ms?: number;
}

/** How often a generation is begun before it counts as the cause of what interrupts it. */
const MAX_ATTEMPTS = 3;

/**
 * Runs a generation to its end, or to the end of this process. What interrupts it leaves no outcome: it is run again.
 * See “The life of a generation” in docs/architecture.md.
 * @throws where the database can't be reached: the lease runs out, and the generation is run again; the shutdown's
 *   reason where nothing was begun
 */
export async function runGeneration(deps: RunDeps, generation_id: string, stopping: StopSignals): Promise<void> {
  stopping.shutdown.throwIfAborted();
  const lease = await claimGeneration(deps, generation_id);
  if (lease) await runClaimed(deps, lease, stopping);
}

/** As `runGeneration`, for a generation that this worker has claimed. */
export async function runClaimed(deps: RunDeps, lease: Lease, stopping: StopSignals): Promise<void> {
  const held = maintainLease(deps, lease);
  try {
    await runWithEngine(deps, lease, held, stopping);
  } catch (error) {
    if (held.lost.aborted) return;
    // Another server that can't be reached is a known failure; this is about the database.
    if (!toFailure(error) && isDatabaseUnreachable(error)) throw error;
    if (stopping.shutdown.aborted) return releaseLease(deps, lease);
    const failure = logAndConvertFailure(deps, lease, error);
    const job = await readUpstreamJob(deps.db, lease.row.id);
    if (job?.state === 'submitting') return requestReview(deps, lease, job, FAULT_AFTER_SUBMIT_MESSAGE);
    await settleFailed(deps, lease, failure);
  } finally {
    await held.stop();
  }
}

function logAndConvertFailure({ log }: Pick<Deps, 'log'>, { row }: Lease, error: unknown): GenerationFailure {
  const known = toFailure(error);
  const context = { err: error, generation_id: row.id, task: row.task, model: row.model };
  if (known) log.info(context, 'generation failed');
  else log.error(context, 'generation failed by a fault of ours');
  return known ?? UNKNOWN_FAILURE;
}

const ENGINE_DISABLED_MESSAGE = 'What was to do this is switched off now.';
const ENGINE_REMOVED_MESSAGE =
  'This was sent to an upstream service that is not set up here any more. Look there what became of it, then decide.';
const FAULT_AFTER_SUBMIT_MESSAGE =
  'This was sent to the upstream service, and then something went wrong here. Look there whether it was made, then decide.';
const INTERRUPTED_MESSAGE =
  'This was sent to the upstream service and broke off again and again. Look there whether it was made, then decide.';

async function runWithEngine(deps: RunDeps, lease: Lease, held: ActiveLease, stopping: StopSignals): Promise<void> {
  const { row } = lease;
  const job = await readUpstreamJob(deps.db, row.id);
  if ((!job || job.state === 'waiting') && (await cancelIfRevoked(deps, row))) return;
  // Waiting for another service may be interrupted as often as it likes.
  if (row.attempts > MAX_ATTEMPTS && job?.state !== 'accepted') {
    if (job?.state === 'submitting') return requestReview(deps, lease, job, INTERRUPTED_MESSAGE);
    throw new RunError('interrupted', `This was begun ${MAX_ATTEMPTS} times and broke off each time.`, {
      retryable: true,
    });
  }
  const engine = selectEngine(deps.engines, lease, job);
  if (!engine && job) return requestReview(deps, lease, job, ENGINE_REMOVED_MESSAGE);
  if (!engine) throw new RunError('model_unavailable', ENGINE_DISABLED_MESSAGE, { retryable: true });
  if (!isUpstreamEngine(engine)) return runLocal(deps, lease, held, engine, stopping);
  const { shutdown, give_up = shutdown } = stopping;
  await runUpstream({ deps, lease, active_lease: held, engine, shutdown, give_up }, job);
}

/** What an upstream may have stays with its engine, whatever the engine of the model is now. */
const selectEngine = (engines: readonly Engine[], { row }: Lease, job: UpstreamJobRow | null): Engine | undefined =>
  job && job.state !== 'waiting' ? findUpstreamEngine(engines, job.engine) : findEngine(engines, row.task, row.model);

async function requestReview(deps: RunDeps, lease: Lease, job: UpstreamJobRow, reason: string): Promise<void> {
  await openReview(deps, lease, reason, { outputs: [], data: null, lengths: job.media_lengths });
}
