import type { Generation } from '#contract/resources/generation.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import {
  type StoredResponse,
  type IdempotentRequest,
  findStoredResponse,
} from '#server/accounts/idempotency/with-idempotency.ts';
import { assertInScope } from '#server/accounts/keys/assert-in-scope.ts';
import { validateRequest } from '#server/models/catalog/validate-request.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { writeOnce } from '#server/studio/generations/create/create-generation.ts';
import { findGeneration } from '#server/studio/generations/read/find-generation.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import { type GenerationPlan, planGeneration } from '#server/studio/generations/create/plan-generation.ts';
import { priceRequest } from '#server/studio/generations/create/price-request.ts';
import { assertRetryable } from './retry-chain.ts';

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
  try {
    await assertRetryable(deps.db, generation);
  } catch (error) {
    // The same request may have created the retry in the meantime.
    const response = idempotentRequest && (await findStoredResponse<Generation>(deps, idempotentRequest));
    if (response) return response;
    throw error;
  }
  const plan = await planRepeat(deps, caller, generation, signal);
  const record = async (tx: Tx): Promise<void> => {
    if (generation.created_by === caller.key_id) return;
    const change = {
      action: 'generation.retried',
      target: { type: 'generation', id },
      after: { id: plan.row.id },
    } as const;
    await recordAuditEvent(tx, caller, change, deps.clock.now());
  };
  return writeOnce(deps, caller, plan, { idempotentRequest, record });
}

/** Validates, prices and plans a retry. @throws {ApiError} like `retryGeneration` */
export async function planRetry(deps: Deps, caller: Caller, id: string): Promise<GenerationPlan> {
  const { generation } = await findGeneration(deps, caller.organization_id, id);
  await assertRetryable(deps.db, generation);
  return planRepeat(deps, caller, generation);
}

async function planRepeat(
  deps: Deps,
  caller: Caller,
  generation: GenerationRow,
  signal?: AbortSignal,
): Promise<GenerationPlan> {
  const { id, chain_id, metadata, tags, batch_id, output_name } = generation;
  const order = validateRequest(deps, ownMediaOrigin(deps.config), caller, generation);
  assertInScope(caller, order);
  const price = await priceRequest(deps, caller.organization_id, order, signal);
  const kept = { metadata, tags, batch_id, output_name };
  return planGeneration(deps, caller, { ...kept, order, price, retry: { of: id, chain_id } });
}
