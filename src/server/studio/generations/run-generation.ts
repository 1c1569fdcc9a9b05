import type { Deps } from '#server/platform/deps.ts';
import { isDatabaseUnreachable } from '#server/platform/db/postgres/is-unreachable.ts';
import type { LocalEngine } from '#server/models/engine/engine.ts';
import type { Engine } from '#server/models/engine/upstream.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';
import { findEngine } from '#server/models/catalog/offering.ts';
import { unavailableMessage } from '#server/models/catalog/validate-request.ts';
import { cancelIfRevoked } from './cancel-revoked.ts';
import { type GenerationFailure, RunError, UNKNOWN_FAILURE, toFailure } from './failure.ts';
import { type ActiveLease, type Lease, claimGeneration, releaseLease, maintainLease } from './generation-lease.ts';
import { openReview } from './review/open-review.ts';
import { completeResult } from './results/complete-result.ts';
import { readSpooledResult, hasFreeSpace } from './results/result-spool.ts';
import { isOutageTooLong, isStorageUnavailable, suspendForStorage } from './results/storage-outage.ts';
import { settleFailed } from './settle-generation.ts';
import { runUpstream } from './upstream/run-upstream.ts';
import { isUpstreamEngine, findUpstreamEngine } from './upstream/find-upstream-engine.ts';
import { type UpstreamJobRow, readUpstreamJob } from './upstream/upstream-job.ts';
import type { GenerationRow } from './read/generation-row.ts';
import { toMediaLengths } from './create/validate-media.ts';
import { nameReferences } from './create/name-references.ts';
import { resolveReferences } from './create/resolve-references.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';

interface StopSignals {
  /** Aborted when this process shuts down; the generation is then released. */
  shutdown: AbortSignal;
  /** Aborted later: until then the run waits for responses to upstream submits. Defaults to `shutdown`. */
  giveUp?: AbortSignal;
  deadlineMs?: number;
}

/** After this many interrupted attempts the generation itself counts as the cause. */
const MAX_ATTEMPTS = 3;

/**
 * Runs a generation until it completes or this process shuts down. An interrupted run has no outcome and is repeated.
 * Design: The life of a generation
 * @throws if the database is unreachable: the lease expires and the generation runs again; the shutdown's reason if
 *   nothing was started
 */
export async function runGeneration(deps: Deps, generationId: string, stopping: StopSignals): Promise<void> {
  stopping.shutdown.throwIfAborted();
  const lease = await claimGeneration(deps, generationId);
  if (lease) await runClaimed(deps, lease, stopping);
}

export async function runClaimed(deps: Deps, lease: Lease, stopping: StopSignals): Promise<void> {
  const activeLease = maintainLease(deps, lease);
  try {
    await runWithEngine(deps, lease, activeLease, stopping);
  } catch (error) {
    if (activeLease.lost.aborted) return;
    // An unreachable reference server is a known failure; this check is about the database.
    if (!toFailure(error) && isDatabaseUnreachable(error)) throw error;
    if (stopping.shutdown.aborted) return releaseLease(deps, lease);
    // Work that could not even read its media has cost nothing, so it waits as well.
    if (isStorageUnavailable(error) && deps.config.s3 !== null && !isOutageTooLong(lease))
      return suspendForStorage(deps, lease, 0);
    const failure = logAndConvertFailure(deps, lease, error);
    const job = await readUpstreamJob(deps.db, lease.row.id);
    if (job?.state === 'submitting') return requestReview(deps, lease, job, FAULT_AFTER_SUBMIT_MESSAGE);
    await settleFailed(deps, lease, failure);
  } finally {
    await activeLease.stop();
  }
}

function logAndConvertFailure({ log }: Deps, { row }: Lease, error: unknown): GenerationFailure {
  const known = toFailure(error);
  const context = { generation_id: row.id, task: row.task, model: row.model };
  if (known) log.warn({ ...context, code: known.code, reason: known.message }, 'generation failed');
  else log.error({ ...context, err: error }, 'generation failed with an internal error');
  return known ?? UNKNOWN_FAILURE;
}

const ENGINE_DISABLED_MESSAGE = 'This model is no longer available. Try again later or choose another model.';
const disabledMessage = ({ offering }: Deps, { model, model_version }: GenerationRow): string =>
  model === null || model_version === null
    ? ENGINE_DISABLED_MESSAGE
    : `${unavailableMessage(offering.current(), model)} Try again later or choose another model.`;
const ENGINE_REMOVED_MESSAGE =
  'The provider that received this generation is no longer configured. Check the result there, then decide.';
const FAULT_AFTER_SUBMIT_MESSAGE =
  'An internal error occurred after the request was sent to the provider. Check there whether it was created, then decide.';
const INTERRUPTED_MESSAGE =
  'The request was sent to the provider and interrupted repeatedly. Check there whether it was created, then decide.';

async function runWithEngine(deps: Deps, lease: Lease, activeLease: ActiveLease, stopping: StopSignals): Promise<void> {
  const { row } = lease;
  const { shutdown, giveUp = shutdown } = stopping;
  const spooled = await readSpooledResult(deps.config.mediaDir, row.id);
  if (spooled) return completeResult({ deps, lease, activeLease, stop: shutdown, isSpooled: true }, spooled);
  const job = await readUpstreamJob(deps.db, row.id);
  if (job?.state === 'accepted' && !job.handle) return awaitSpooledResult(deps, lease, activeLease);
  if ((!job || job.state === 'waiting') && (await cancelIfRevoked(deps, row))) return;
  // Interruptions while waiting for an upstream job do no harm and are not limited.
  if (row.attempts > MAX_ATTEMPTS && job?.state !== 'accepted') {
    if (job?.state === 'submitting') return requestReview(deps, lease, job, INTERRUPTED_MESSAGE);
    throw new RunError(
      'interrupted',
      `This generation was started ${MAX_ATTEMPTS} times and interrupted each time. Try again.`,
      { retryable: true },
    );
  }
  const engine = await selectEngine(deps, lease, job);
  if (!engine && job) return requestReview(deps, lease, job, ENGINE_REMOVED_MESSAGE);
  if (!engine) throw new RunError('model_unavailable', disabledMessage(deps, row), { retryable: true });
  if (!isUpstreamEngine(engine)) return runLocal(deps, lease, activeLease, engine, stopping);
  await runUpstream({ deps, lease, activeLease, engine, shutdown, giveUp }, job);
}

/** Another process has the result, and only that one can store it. */
async function awaitSpooledResult(deps: Deps, lease: Lease, activeLease: ActiveLease): Promise<void> {
  if (isOutageTooLong(lease)) throwUnavailable(new Error('No process stored the result.'));
  await suspendForStorage(deps, lease, activeLease.progress());
}

/** A submitted job stays with its engine, even if the model is now configured for another one. */
async function selectEngine(
  { offering }: Deps,
  { row }: Lease,
  job: UpstreamJobRow | null,
): Promise<Engine | undefined> {
  if (job && job.state !== 'waiting') return findUpstreamEngine(offering, job.engine);
  const engine = findEngine(offering.current().engines, row.task, row.model);
  // The process that created it may have known a connection that this one has not read yet.
  const isOutdated = !engine || (row.lane === 'generation.upstream') !== isUpstreamEngine(engine);
  const selected = isOutdated ? findEngine((await offering.refresh()).engines, row.task, row.model) : engine;
  // Whoever ordered a provider's model does not get a preview for its price.
  return row.lane === 'generation.upstream' && selected && !isUpstreamEngine(selected) ? undefined : selected;
}

async function requestReview(deps: Deps, lease: Lease, job: UpstreamJobRow, reason: string): Promise<void> {
  await openReview(deps, lease, reason, { outputs: [], data: null, lengths: job.media_lengths });
}

const RUN_TIMEOUT_MS = 60 * 60_000;

/**
 * Runs a generation on a local engine, stores its outputs and settles it.
 * @throws {RunError} `timeout`; {StorageError} `unavailable` if the disk is nearly full; any error of the engine
 */
async function runLocal(
  deps: Deps,
  lease: Lease,
  activeLease: ActiveLease,
  engine: LocalEngine,
  { shutdown, deadlineMs = RUN_TIMEOUT_MS }: { shutdown: AbortSignal; deadlineMs?: number },
): Promise<void> {
  await assertDiskSpace(deps.config);
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = AbortSignal.any([activeLease.lost, shutdown, deadline]);
  try {
    await withTempDir(deps.config.mediaDir, (workDir) => runEngine(deps, lease, activeLease, engine, workDir, signal));
  } catch (error) {
    if (!deadline.aborted || shutdown.aborted) throw error;
    throw new RunError('timeout', 'The generation took too long and was stopped. Try again.', {
      retryable: true,
      cause: error,
    });
  }
}

async function assertDiskSpace(config: Deps['config']): Promise<void> {
  if (!(await hasFreeSpace(config).catch(throwUnavailable)))
    throwUnavailable(new Error(`The disk of ${config.mediaDir} is nearly full.`));
}

async function runEngine(
  deps: Deps,
  lease: Lease,
  activeLease: ActiveLease,
  engine: LocalEngine,
  workDir: string,
  signal: AbortSignal,
): Promise<void> {
  const { row } = lease;
  const references = await resolveReferences(deps, row, workDir, signal);
  const { id: generation_id, task, model } = row;
  const input = nameReferences(row, references);
  const job = { generation_id, task, model, input, references, workDir, signal, onProgress: activeLease.setProgress };
  const result = await engine.run(job);
  const lengths = toMediaLengths(row, new Map(references.map(({ path, media }) => [path, media])));
  await completeResult({ deps, lease, activeLease, stop: signal }, { ...result, references, lengths, upstream: null });
}
