import type { Deps } from '../deps.ts';
import { isUnreachable } from '../db/is-unreachable.ts';
import type { Engine } from '../engines/engine.ts';
import { engineFor } from './availability.ts';
import { cancelIfRevoked } from './cancel-revoked.ts';
import { type Failure, RunError, UNKNOWN_FAILURE, knownFailure } from './failure.ts';
import { type HeldLease, type Lease, claim, handBack, holdLease } from './lease.ts';
import type { Resolving } from './resolve-references.ts';
import { openReview } from './review/open-review.ts';
import { runHere } from './run-here.ts';
import { settleFailed } from './settle.ts';
import { followUpstream } from './upstream/follow-upstream.ts';
import { isUpstream, upstreamEngineOf } from './upstream/upstream-engine-of.ts';
import { type UpstreamJobRow, readUpstreamJob } from './upstream/upstream-job.ts';

export type Running = Resolving & Pick<Deps, 'engines' | 'log' | 'prices' | 'queue' | 'transition_listeners'>;

export interface Stopping {
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
 * Design: The life of a generation
 * @throws where the database can't be reached: the lease runs out, and the generation is run again; the shutdown's
 *   reason where nothing was begun
 */
export async function runGeneration(deps: Running, generation_id: string, stopping: Stopping): Promise<void> {
  stopping.shutdown.throwIfAborted();
  const lease = await claim(deps, generation_id);
  if (lease) await runClaimed(deps, lease, stopping);
}

/** As `runGeneration`, for a generation that this worker has claimed. */
export async function runClaimed(deps: Running, lease: Lease, stopping: Stopping): Promise<void> {
  await using held = holdLease(deps, lease);
  try {
    await work(deps, lease, held, stopping);
  } catch (error) {
    if (held.lost.aborted) return;
    // Another server that can't be reached is a known failure; this is about the database.
    if (!knownFailure(error) && isUnreachable(error)) throw error;
    if (stopping.shutdown.aborted) return handBack(deps, lease);
    const failure = failureOf(deps, lease, error);
    const job = await readUpstreamJob(deps.db, lease.row.id);
    if (job?.state === 'submitting') return leave(deps, lease, job, FAULT_AFTER_SUBMIT);
    await settleFailed(deps, lease, failure);
  }
}

function failureOf({ log }: Pick<Deps, 'log'>, { row }: Lease, error: unknown): Failure {
  const known = knownFailure(error);
  const context = { err: error, generation_id: row.id, task: row.task, model: row.model };
  if (known) log.info(context, 'generation failed');
  else log.error(context, 'generation failed by a fault of ours');
  return known ?? UNKNOWN_FAILURE;
}

const SWITCHED_OFF = 'What was to do this is switched off now.';
const ENGINE_GONE =
  'This was sent to an upstream service that is not set up here any more. Look there what became of it, then decide.';
const FAULT_AFTER_SUBMIT =
  'This was sent to the upstream service, and then something went wrong here. Look there whether it was made, then decide.';
const BROKE_OFF =
  'This was sent to the upstream service and broke off again and again. Look there whether it was made, then decide.';

async function work(deps: Running, lease: Lease, held: HeldLease, stopping: Stopping): Promise<void> {
  const { row } = lease;
  const job = await readUpstreamJob(deps.db, row.id);
  if ((!job || job.state === 'waiting') && (await cancelIfRevoked(deps, row))) return;
  // Waiting for another service may be interrupted as often as it likes.
  if (row.attempts > MAX_ATTEMPTS && job?.state !== 'accepted') {
    if (job?.state === 'submitting') return leave(deps, lease, job, BROKE_OFF);
    throw new RunError('interrupted', `This was begun ${MAX_ATTEMPTS} times and broke off each time.`, {
      retryable: true,
    });
  }
  const engine = engineOf(deps.engines, lease, job);
  if (!engine && job) return leave(deps, lease, job, ENGINE_GONE);
  if (!engine) throw new RunError('model_unavailable', SWITCHED_OFF, { retryable: true });
  if (!isUpstream(engine)) return runHere(deps, lease, held, engine, stopping);
  const { shutdown, give_up = shutdown } = stopping;
  await followUpstream({ deps, lease, held, engine, shutdown, give_up }, job);
}

/** What an upstream may have stays with its engine, whatever the engine of the model is now. */
const engineOf = (engines: readonly Engine[], { row }: Lease, job: UpstreamJobRow | null): Engine | undefined =>
  job && job.state !== 'waiting' ? upstreamEngineOf(engines, job.engine) : engineFor(engines, row.task, row.model);

async function leave(deps: Running, lease: Lease, job: UpstreamJobRow, reason: string): Promise<void> {
  await openReview(deps, lease, reason, { outputs: [], data: null, lengths: job.media_lengths });
}
