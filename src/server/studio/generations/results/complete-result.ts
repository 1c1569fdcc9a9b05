import { isDatabaseUnreachable } from '#server/platform/db/postgres/is-unreachable.ts';
import type { Deps } from '#server/platform/deps.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import { RunError, toFailure } from '#server/studio/generations/failure.ts';
import type { ActiveLease, Lease } from '#server/studio/generations/generation-lease.ts';
import { openReview } from '#server/studio/generations/review/open-review.ts';
import { settleFailed, settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import {
  type StoredResult,
  discardOutputs,
  storeOutputs,
  storeOutputsForReview,
} from '#server/studio/generations/store-outputs.ts';
import { recordCompletion, recordReceived } from '#server/studio/generations/upstream/upstream-job.ts';
import type { CompletedResult } from './completed-result.ts';
import { deleteSpooledResult, spoolResult } from './result-spool.ts';
import { isOutageTooLong, isStorageUnavailable, suspendForStorage } from './storage-outage.ts';
import { findContract } from '#contract/model-catalog.ts';
import { extractReferences } from '#contract/task-input.ts';
import { findLocalMedia } from '#server/studio/assets/find-stored-media.ts';
import { addEdit, findNamedBy, nameSource, toSource } from '#server/studio/assets/media-name.ts';
import { stripExtension } from '#server/platform/core/file-names.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';

export interface ResultRun {
  deps: Deps;
  lease: Lease;
  activeLease: ActiveLease;
  /** Aborted when this process shuts down. */
  stop: AbortSignal;
  /** A result that is in the spool already. */
  isSpooled?: boolean;
  /** Whether an upstream job can be polled for its result again. */
  hasHandle?: boolean;
}

const UNUSABLE_RESULT_MESSAGE =
  'The provider reported success, but its result does not fit the task. Check the result, then decide.';

const unreadableResultMessage = (reason: string): string =>
  `The provider reported success, but a file of its result can’t be used here: ${reason} It was kept as it is. Download and check it, then decide.`;

/**
 * Stores a result and settles its generation:
 * - it fits the task: `succeeded`;
 * - an upstream job's that does not fit, or is unclear: `manual_review` with the files that can be stored;
 * - it can't be stored: the result is spooled and the generation suspended; `failed` once that has lasted too long.
 * @throws {RunError} if the result of local work does not fit; {MediaError}; if the database is unreachable
 */
export async function completeResult(run: ResultRun, result: CompletedResult): Promise<void> {
  const { deps, lease, activeLease, stop } = run;
  let isSettled: boolean;
  try {
    isSettled = await storeAndSettle(run, result);
  } catch (error) {
    if (activeLease.lost.aborted) {
      await recordCost(deps, lease, result);
      throw error;
    }
    const isUnavailable = isStorageUnavailable(error);
    if (!isUnavailable && (!stop.aborted || isDatabaseUnreachable(error))) throw error;
    if (!isOutageTooLong(lease) && (await keepResult(run, result)))
      return suspendForStorage(deps, lease, activeLease.progress(), { atOnce: !isUnavailable });
    const failure = toFailure(error);
    if (!failure) throw error;
    deps.log.error({ err: error, generation_id: lease.row.id }, 'result could not be stored');
    isSettled = await settleFailed(deps, lease, failure, result.upstream?.completion);
  }
  // Whoever took the lease over may still need it; the spool's next pass deletes it otherwise.
  if (isSettled) await deleteSpooledResult(deps.config.mediaDir, lease.row.id);
}

/** A provider charges for its work even if the generation was canceled meanwhile. */
async function recordCost({ db, clock }: Deps, { row }: Lease, { upstream }: CompletedResult): Promise<void> {
  if (upstream) await db.transaction((tx) => recordCompletion(tx, row.id, upstream.completion, clock.now()));
}

/** @returns false if nothing could store the result later */
async function keepResult(
  { deps, lease: { row }, isSpooled = false, hasHandle = false }: ResultRun,
  result: CompletedResult,
): Promise<boolean> {
  const canRepeat = hasHandle || result.upstream === null;
  const isKept =
    isSpooled ||
    (await spoolResult(deps.config, row.id, result).catch((error: unknown) => {
      deps.log.error({ err: error, generation_id: row.id }, 'result could not be kept');
      return false;
    }));
  if (isKept && result.upstream) await recordReceived(deps, row.id, result.upstream.completion);
  return isKept || canRepeat;
}

/** @returns false if another transition won, or another worker took the lease over */
async function storeAndSettle(
  { deps, lease, activeLease, stop }: ResultRun,
  result: CompletedResult,
): Promise<boolean> {
  const { upstream, data, used, units, lengths } = result;
  const source = await readSource(deps, lease.row);
  const { outputs, received, reviewReason } = await storeFiles(
    deps,
    lease,
    result,
    AbortSignal.any([activeLease.lost, stop]),
  );
  const named = outputs.map((output) => ({ ...output, ...nameOutput(lease.row, source, output.position) }));
  const stored = { outputs: named, received, data, used, units, lengths };
  // If this throws, the response to the commit may be lost and a row reference the files: only the sweeper deletes them.
  const isSettled = await (reviewReason === null
    ? settleSucceeded(deps, lease, stored, upstream?.completion, (canceledAt) =>
        upstream ? canceledAt >= upstream.received_at : false,
      )
    : openReview(deps, lease, reviewReason, stored, upstream?.completion));
  if (!isSettled) await discardOutputs(deps, [...outputs, ...received]);
  return isSettled;
}

/** @returns with the reason for a review; null if the result fits the task */
async function storeFiles(
  deps: Deps,
  { row }: Lease,
  result: CompletedResult,
  signal: AbortSignal,
): Promise<StoredResult & { reviewReason: string | null }> {
  const { upstream } = result;
  if (upstream === null || upstream.reviewReason === null) {
    try {
      return { outputs: await storeOutputs(deps, row, result, signal), received: [], reviewReason: null };
    } catch (error) {
      if (upstream === null) throw error;
      deps.log.warn({ err: asContractViolation(error), generation_id: row.id }, 'upstream result not usable');
    }
  }
  const stored = await storeOutputsForReview(deps, row, result, signal);
  const [unread] = stored.received;
  const reason = unread === undefined ? UNUSABLE_RESULT_MESSAGE : unreadableResultMessage(unread.reason);
  return { ...stored, reviewReason: upstream.reviewReason ?? reason };
}

function asContractViolation(error: unknown): Error {
  if (error instanceof RunError || error instanceof MediaError) return error;
  throw error;
}

/** What people called the file that a task worked on; null if its prompt names its outputs. Decision: Names of media */
async function readSource(
  deps: Deps,
  { task, model, input, organization_id, output_name }: GenerationRow,
): Promise<ReturnType<typeof toSource>> {
  const field = findNamedBy(task)?.field;
  const contract =
    field === undefined || output_name !== null ? undefined : findContract(deps.offering.current(), { task, model });
  const url = contract && extractReferences(contract, input).find(({ path }) => path === field)?.url;
  if (!url) return null;
  const local = await findLocalMedia(deps, organization_id, url, { evenRemoved: true });
  const hasPrompt = typeof input['prompt'] === 'string';
  if (!local.own) return hasPrompt ? null : nameSource(stripExtension(lastSegment(url)), url.split(/[?#]/)[0] ?? '');
  const { medium } = local;
  // A prompt says more than another prompt or the file name of an upload, but not more than a name that a person gave.
  const isNamed = medium?.generation && (medium.filename !== null || medium.source_name !== null);
  return medium && (isNamed || !hasPrompt) ? toSource(medium) : null;
}

function nameOutput(
  { id, task, output_name }: GenerationRow,
  source: ReturnType<typeof toSource>,
  position: number,
): ReturnType<typeof toSource> {
  if (output_name !== null) return nameSource(output_name, id);
  return source && { ...source, edits: addEdit(source.edits, task, position) };
}

function lastSegment(url: string): string {
  const segment = URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '') : '';
  // Unlike `decodeURIComponent`, this leaves a stray percent sign unchanged.
  return new URLSearchParams(`name=${segment.replaceAll('+', '%2B')}`).get('name') ?? '';
}
