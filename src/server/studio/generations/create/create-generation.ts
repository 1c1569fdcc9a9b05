import type { BodyOf } from '#contract/api/endpoints.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { assertNeedsNoApproval } from '#server/accounts/billing/approval-limit.ts';
import {
  type StoredResponse,
  type IdempotentRequest,
  findStoredResponse,
  withIdempotency,
} from '#server/accounts/idempotency/with-idempotency.ts';
import { assertInScope } from '#server/accounts/keys/assert-in-scope.ts';
import { readTagValues } from '#server/accounts/tags/read-tag-values.ts';
import { type ValidatedRequest, validateRequest } from '#server/models/catalog/validate-request.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import { createTurns } from '#server/platform/core/turns.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { isDatabaseUnreachable } from '#server/platform/db/postgres/is-unreachable.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type GenerationPlan, planGeneration } from './plan-generation.ts';
import { type FetchedMedia, priceRequest } from './price-request.ts';
import { writeGeneration } from './write-generation.ts';

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
  const order = validateScopedRequest(deps, caller, body);
  // Before the media are checked, because they may have been deleted since the first request.
  const stored = idempotentRequest && (await findStoredResponse<Generation>(deps, idempotentRequest));
  if (stored) return stored;
  const plan = await planRequest(deps, caller, body, order, signal ? { signal } : {});
  return writeOnce(deps, caller, plan, { idempotentRequest });
}

interface PlanOptions {
  batch_id?: string | null;
  /** Names its outputs. */
  output_name?: string | null | undefined;
  signal?: AbortSignal;
  fetched?: FetchedMedia;
}

/** Validates, prices and plans a generation. @throws {ApiError} 400; 422; 503 */
export const planFromRequest = (
  deps: Deps,
  caller: Caller,
  body: BodyOf<'create_generation'>,
  options: PlanOptions = {},
): Promise<GenerationPlan> => planRequest(deps, caller, body, validateScopedRequest(deps, caller, body), options);

function validateScopedRequest(deps: Deps, caller: Caller, body: BodyOf<'create_generation'>): ValidatedRequest {
  const order = validateRequest(deps, ownMediaOrigin(deps.config), caller, body);
  assertInScope(caller, order);
  return order;
}

async function planRequest(
  deps: Deps,
  caller: Caller,
  { metadata = null }: BodyOf<'create_generation'>,
  order: ValidatedRequest,
  { batch_id = null, output_name = null, signal, fetched }: PlanOptions,
): Promise<GenerationPlan> {
  const tags = await readTagValues(deps, caller, metadata);
  const price = await priceRequest(deps, caller.organization_id, order, signal, fetched);
  return planGeneration(deps, caller, { order, price, metadata, tags, batch_id, output_name });
}

/** More at once would only wait for each other's lock of the account, each on a connection that others need. */
const turns = createTurns({ perKey: 2, total: Infinity });
const MAX_WAIT_MS = 30_000;
/** Aborted when the database is lost, so that those who wait for a turn do not each wait for it. */
let outage = new AbortController();

async function inTurn<T>(keyId: string, write: () => Promise<T>): Promise<T> {
  const signal = AbortSignal.any([outage.signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  const endTurn = await turns.take(keyId, signal).catch((cause: unknown) => {
    const message = 'Earlier requests of this key are still being processed. Try again in a moment.';
    throw new ApiError('service_unavailable', message, { retry_after_seconds: 1, cause });
  });
  try {
    return await write();
  } catch (error) {
    if (isDatabaseUnreachable(error)) {
      outage.abort();
      outage = new AbortController();
    }
    throw error;
  } finally {
    endTurn();
  }
}

interface WriteOptions {
  idempotentRequest: IdempotentRequest | undefined;
  /** Runs in the same transaction, after the generation is written. */
  record?: (tx: Tx) => Promise<void>;
}

/** Writes a planned generation, once for its idempotency key. @throws {ApiError} like `createGeneration` */
export async function writeOnce(
  deps: Deps,
  caller: Caller,
  plan: GenerationPlan,
  { idempotentRequest, record }: WriteOptions,
): Promise<StoredResponse<Generation>> {
  const response = { status: 201, body: plan.generation };
  const act = async (tx: Tx) => {
    await assertNeedsNoApproval(tx, caller, plan);
    await writeGeneration(deps, tx, plan);
    await record?.(tx);
    return response;
  };
  return inTurn(caller.key_id, () => withIdempotency(deps, idempotentRequest, act, response));
}
