import { join } from 'node:path';
import type { Estimate } from '#contract/money/estimate.ts';
import { fileExcess } from '#contract/added-models/prices/price-quantity.ts';
import { findAddedVersion, type ModelCatalog } from '#contract/model-catalog.ts';
import { priceOrder } from '#contract/money/price-order.ts';
import { asInputOf, extractReferences, type InputReference } from '#contract/task-input.ts';
import type { SyncMode } from '#contract/tasks/video-lipsync.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { mediaBusyError } from '#server/studio/assets/media-busy-error.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import { toFailure } from '#server/studio/generations/failure.ts';
import { fetchReference } from './fetch-reference.ts';
import { type MediaFacts, toMediaLengths, validateMedia } from './validate-media.ts';
import type { ValidatedRequest } from '#server/models/catalog/validate-request.ts';
import { MEDIA_GONE_MESSAGE, findLocalMedia } from '#server/studio/assets/find-stored-media.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';

/** What is known of media of other servers, by URL, so that orders of one request fetch each of them once. */
export type FetchedMedia = Map<string, MediaFacts>;

/** For all media of one request together. Decision: Prices */
const FETCH_TIMEOUT_MS = 15_000;

/**
 * Prices a request and validates its media. If their length decides the price, own media are looked up and others
 * fetched, for at most 15 s. Decision: Prices
 * @param fetched is read and filled
 * @throws {ApiError} 400 `invalid_request`
 */
export async function priceRequest(
  deps: Deps,
  organizationId: string,
  request: ValidatedRequest,
  signal?: AbortSignal,
  fetched?: FetchedMedia,
): Promise<Estimate> {
  const references = extractReferences(request.contract, request.input);
  const known = new Map<string, MediaFacts>();
  for (const { path, url } of references) {
    const local = await findLocalMedia(deps, organizationId, url);
    if (!local.own) continue;
    if (!local.medium) rejectInput(path, MEDIA_GONE_MESSAGE);
    known.set(path, { ...local.medium, kind: local.medium.type });
  }
  assertMediaRules(request, references, known);
  const missing = references.filter(({ path }) => affectsPrice(deps, request, path) && !known.has(path));
  if (missing.length > 0) {
    const downloadSignal = AbortSignal.any([AbortSignal.timeout(FETCH_TIMEOUT_MS), ...(signal ? [signal] : [])]);
    const options = { owner: organizationId, isRequest: true, downloadSignal, signal };
    for (const reference of missing) {
      const facts = fetched?.get(reference.url) ?? (await fetchMediaFacts(deps, reference, options));
      fetched?.set(reference.url, facts);
      known.set(reference.path, facts);
    }
    assertMediaRules(request, references, known);
  }
  return priceMeasured(deps.offering.current(), request, known);
}

/**
 * Prices an order by what is known of its media.
 * @throws {ApiError} 422 `invalid_request` if a file is more than the price of an added model is bounded by
 */
export function priceMeasured(
  catalog: ModelCatalog,
  request: ValidatedRequest,
  known: ReadonlyMap<string, MediaFacts>,
): Estimate {
  const lengths = toMediaLengths(request, known);
  const version = findAddedVersion(catalog, request);
  const excess = version && fileExcess(version.price, version.contract, lengths.files ?? {});
  if (excess) rejectInput(excess.field, excess.message, undefined, 422);
  return priceOrder(catalog, request, request.input, lengths);
}

const LIPSYNC_LENGTH_FIELDS = {
  cut_off: ['video', 'audio'],
  silence: ['video'],
  loop: ['audio'],
  bounce: ['audio'],
  remap: ['audio'],
} as const satisfies Record<SyncMode, readonly string[]>;

/** Whether the length or size of the reference at this path is part of the price. Decision: Prices */
function affectsPrice({ offering }: Deps, { task, model, input }: ValidatedRequest, path: string): boolean {
  const quantity = findAddedVersion(offering.current(), { task, model })?.price.quantity;
  if (quantity) return quantity.from === 'media' && quantity.field === path;
  if (task === 'video.edit') return path === 'video';
  if (task !== 'video.lipsync') return false;
  return LIPSYNC_LENGTH_FIELDS[asInputOf(task, input).sync_mode].some((name) => name === path);
}

type FetchReferenceOptions = Parameters<typeof fetchReference>[3];

async function fetchMediaFacts(
  deps: Deps,
  reference: InputReference,
  options: FetchReferenceOptions,
): Promise<MediaFacts> {
  try {
    return await withTempDir(deps.config.mediaDir, async (folder) => {
      return fetchReference(deps, reference.url, join(folder, 'medium'), options);
    });
  } catch (error) {
    if (error instanceof MediaError && error.code === 'busy') throw mediaBusyError(error);
    if (options.downloadSignal.aborted)
      rejectInput(
        reference.path,
        'The file could not be loaded within 15 seconds. Try again or upload it instead.',
        error,
      );
    const failure = toFailure(error);
    if (!failure) throw error;
    return rejectInput(reference.path, failure.message, error);
  }
}

/** @throws {ApiError} 400 or 422 `invalid_request` if the input or the known facts of its media break a rule of the task */
export function assertMediaRules(
  request: Pick<ValidatedRequest, 'task' | 'model_version' | 'input'>,
  references: readonly InputReference[],
  known: ReadonlyMap<string, MediaFacts>,
): void {
  const problem = validateMedia(request, request.input, references, known);
  if (problem) rejectInput(problem.path, problem.message, undefined, problem.status);
}

function rejectInput(path: string, message: string, cause?: unknown, status: 400 | 422 = 400): never {
  throw new ApiError('invalid_request', message, {
    status,
    details: [{ path: `input.${path}`, message }],
    cause,
  });
}
