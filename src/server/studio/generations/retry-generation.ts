import type { Deps } from '#server/platform/deps.ts';
import { eq } from 'drizzle-orm';
import type { Generation } from '#contract/resources/generation.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { ownMediaOrigin } from '#server/platform/core/config.ts';
import { assertInScope } from '#server/accounts/keys/assert-in-scope.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { generations } from '#server/platform/db/schema.ts';
import {
  type StoredResponse,
  type IdempotentRequest,
  findStoredResponse,
} from '#server/accounts/idempotency/with-idempotency.ts';
import { type RetryAttempt, validateRetry } from './validate-retry.ts';
import { type PreparedGeneration, placeGeneration, priceGeneration } from './create-generation.ts';
import { findGeneration } from './find-generation.ts';
import { lockBatch, replaceInBatch } from './replace-in-batch.ts';
import { validateRequest } from '#server/models/catalog/validate-request.ts';
import type { GenerationRow } from './generation-row.ts';

/**
 * Retries a failed or canceled generation as a new one at the current price. Decision: Retry
 * @param idempotentRequest undefined if no Idempotency-Key was sent
 * @throws {ApiError} 404 `generation_not_found`; 409 by the chain's rules; what `createGeneration` throws
 */
export async function retryGeneration(
  deps: Deps,
  caller: Caller,
  id: string,
  idempotentRequest: IdempotentRequest | undefined,
  signal?: AbortSignal,
): Promise<StoredResponse<Generation>> {
  const stored = idempotentRequest && (await findStoredResponse<Generation>(deps, idempotentRequest));
  if (stored) return stored;
  const { generation } = await findGeneration(deps, caller.organization_id, id);
  const problem = validateRetry('generation', id, await readRetryChain(deps.db, generation.chain_id));
  if (problem) {
    // The same request may have created the retry in the meantime.
    const response = idempotentRequest && (await findStoredResponse<Generation>(deps, idempotentRequest));
    if (response) return response;
    throw problem;
  }
  const prepared = await priceRetry(deps, caller, generation, signal);
  const recorded: PreparedGeneration = {
    ...prepared,
    async place(tx) {
      const placed = await prepared.place(tx);
      if (generation.created_by === caller.key_id) return placed;
      const change = {
        action: 'generation.retried',
        target: { type: 'generation', id },
        after: { id: placed.id },
      } as const;
      await recordAuditEvent(tx, caller, change, deps.clock.now());
      return placed;
    },
  };
  return placeGeneration(deps, caller, recorded, idempotentRequest);
}

/** Validates and prices a retry without placing it. @throws {ApiError} like `retryGeneration` */
export async function prepareRetry(deps: Deps, caller: Caller, id: string) {
  const { generation } = await findGeneration(deps, caller.organization_id, id);
  const problem = validateRetry('generation', id, await readRetryChain(deps.db, generation.chain_id));
  if (problem) throw problem;
  return priceRetry(deps, caller, generation);
}

async function priceRetry(
  deps: Deps,
  caller: Caller,
  generation: GenerationRow,
  signal?: AbortSignal,
): Promise<PreparedGeneration> {
  const { id, chain_id, metadata, tags, batch_id } = generation;
  const order = validateRequest(deps, ownMediaOrigin(deps.config), caller, generation);
  assertInScope(caller, order);
  const options = { metadata, tags, batch_id, retry: { of: id, chain_id } };
  const prepared = await priceGeneration(deps, caller, order, options, signal);
  return {
    ...prepared,
    async place(tx) {
      // Before the chain and the account, as where a batch places its orders.
      if (batch_id !== null) await lockBatch(tx, batch_id);
      await lockRetryChain(tx, chain_id);
      const problem = validateRetry('generation', id, await readRetryChain(tx, chain_id));
      if (problem) throw problem;
      const placed = await prepared.place(tx);
      if (batch_id !== null) await replaceInBatch(tx, batch_id, { from: id, to: placed.id, now: deps.clock.now() });
      return placed;
    },
  };
}

const readRetryChain = (db: Pick<Tx, 'select'>, chain_id: string): Promise<RetryAttempt[]> =>
  db
    .select({ id: generations.id, status: generations.status, retry_of: generations.retry_of })
    .from(generations)
    .where(eq(generations.chain_id, chain_id));

/** Serializes the retries of a chain, so that the second sees the generation of the first. */
async function lockRetryChain(tx: Tx, chain_id: string): Promise<void> {
  await tx.select({ id: generations.id }).from(generations).where(eq(generations.id, chain_id)).for('no key update');
}
