import type { BodyOf } from '#contract/endpoints.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { type PreparedOrder, assertNeedsNoApproval } from '#server/accounts/billing/approval-limit.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { ownMediaOrigin } from '#server/platform/core/config.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import {
  type StoredResponse,
  type IdempotentRequest,
  findStoredResponse,
  withIdempotency,
} from '#server/accounts/idempotency/with-idempotency.ts';
import { readTagValues } from '#server/accounts/tags/read-tag-values.ts';
import { assertInScope } from '#server/accounts/keys/assert-in-scope.ts';
import { type ValidatedRequest, validateRequest } from '#server/models/catalog/validate-request.ts';
import { type NewGeneration, draftGeneration, enqueueDraft } from './enqueue-generation.ts';
import { type FetchedMedia, priceRequest } from './price-request.ts';

export interface PreparedGeneration extends PreparedOrder<Generation> {
  /** The generation as it will be when it is placed. */
  expected: Generation;
}

/**
 * Creates a generation: validates the request, prices it, then reserves the price and enqueues the work in one
 * transaction. Decision: Order of checks, Idempotency
 * @param idempotentRequest undefined if no Idempotency-Key was sent
 * @throws {ApiError} 400 and 422 for an invalid request, 402 `insufficient_balance` or
 * `approval_required`, 409 `idempotency_conflict`, 503
 */
export async function createGeneration(
  deps: Deps,
  caller: Caller,
  body: BodyOf<'create_generation'>,
  idempotentRequest: IdempotentRequest | undefined,
  signal?: AbortSignal,
): Promise<StoredResponse<Generation>> {
  const order = validateRequest(deps, ownMediaOrigin(deps.config), caller, body);
  assertInScope(caller, order);
  // Before the media are checked, because they may have been deleted since the first request.
  const stored = idempotentRequest && (await findStoredResponse<Generation>(deps, idempotentRequest));
  if (stored) return stored;
  const options = await readOptions(deps, caller, body);
  const prepared = await priceGeneration(deps, caller, order, options, signal);
  return placeGeneration(deps, caller, prepared, idempotentRequest);
}

/** Places a prepared generation, once for its idempotency key. @throws {ApiError} like `createGeneration` */
export async function placeGeneration(
  deps: Deps,
  caller: Caller,
  prepared: PreparedGeneration,
  idempotentRequest: IdempotentRequest | undefined,
): Promise<StoredResponse<Generation>> {
  const response = { status: 201, body: prepared.expected };
  const place = async (tx: Tx) => {
    await assertNeedsNoApproval(tx, caller, prepared);
    await prepared.place(tx);
    return response;
  };
  return withIdempotency(deps, idempotentRequest, place, response);
}

/** Validates and prices a generation without placing it. @throws {ApiError} 400; 422; 503 */
export async function prepareGeneration(
  deps: Deps,
  caller: Caller,
  body: BodyOf<'create_generation'>,
  { batch_id = null, signal, fetched }: { batch_id?: string | null; signal?: AbortSignal; fetched?: FetchedMedia } = {},
) {
  const order = validateRequest(deps, ownMediaOrigin(deps.config), caller, body);
  assertInScope(caller, order);
  const options = { ...(await readOptions(deps, caller, body)), batch_id };
  const prepared = await priceGeneration(deps, caller, order, options, signal, fetched);
  return { ...prepared, task: order.task, model: order.model, tags: options.tags };
}

async function readOptions(deps: Deps, caller: Caller, body: BodyOf<'create_generation'>) {
  const metadata = body.metadata ?? null;
  return { metadata, tags: await readTagValues(deps, caller, metadata) };
}

export async function priceGeneration(
  deps: Deps,
  caller: Caller,
  order: ValidatedRequest,
  options: Pick<NewGeneration, 'metadata' | 'tags' | 'retry' | 'batch_id' | 'is_test'>,
  signal?: AbortSignal,
  fetched?: FetchedMedia,
): Promise<PreparedGeneration> {
  const price = await priceRequest(deps, caller.organization_id, order, signal, fetched);
  const draft = draftGeneration(deps, caller, { order, price, ...options });
  return {
    amount_micro_usd: price.amount_micro_usd,
    is_bounded: true,
    input: order.input,
    expected: draft.generation,
    async place(tx) {
      await enqueueDraft(deps, tx, draft);
      return draft.generation;
    },
  };
}
