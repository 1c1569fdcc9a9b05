import { and, eq, inArray, sql } from 'drizzle-orm';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import { type AuditActor, actingKey, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findGeneration } from './read/find-generation.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import {
  type StoredResponse,
  type IdempotentRequest,
  withIdempotency,
} from '#server/accounts/idempotency/with-idempotency.ts';
import { refundFunds } from '#server/accounts/billing/fund-transfers.ts';
import { presentLedgerEntry } from '#server/accounts/billing/ledger/present-ledger-entry.ts';

interface GenerationRefundRequest {
  generation_id: string;
  amount_usd?: string | undefined;
  reason: string;
}

/**
 * Refunds all or part of a settled generation's charge. Its billing status becomes `refunded` once nothing is left.
 * @param idempotentRequest undefined if no Idempotency-Key was sent
 * @throws {ApiError} 404 `generation_not_found`; 400 `invalid_request` if the amount exceeds the charge; 409, 503
 */
export async function refundGeneration(
  deps: Pick<Deps, 'db' | 'clock'>,
  actor: AuditActor,
  { generation_id, amount_usd, reason }: GenerationRefundRequest,
  idempotentRequest?: IdempotentRequest,
): Promise<StoredResponse<LedgerEntry>> {
  const { key_name } = await findGeneration(deps, actor.organization_id, generation_id);
  const by = actingKey(actor);
  return withIdempotency(deps, idempotentRequest, async (tx) => {
    const now = deps.clock.now();
    const [payer] = await tx.select().from(generations).where(eq(generations.id, generation_id)).for('update');
    const refundable = await readRefundableAmount(tx, generation_id);
    if (!payer || refundable === 0n) {
      throw new ApiError(
        'invalid_request',
        'There is nothing to refund: the generation was not charged or is already fully refunded.',
      );
    }
    const amountMicroUsd = amount_usd === undefined ? refundable : parseUsd(amount_usd);
    if (amountMicroUsd === 0n) throw new ApiError('invalid_request', 'Enter an amount other than zero.');
    const entry = await refundFunds(
      tx,
      payer,
      amountMicroUsd,
      { created_by: by?.id ?? null, description: reason },
      now,
    );
    const status = amountMicroUsd === refundable ? ({ billing_status: 'refunded' } as const) : {};
    await tx
      .update(generations)
      .set({ ...status, updated_at: now })
      .where(eq(generations.id, generation_id));
    const target = { type: 'generation', id: generation_id };
    const after = { amount_usd: formatUsd(amountMicroUsd), reason, created_by: key_name };
    await recordAuditEvent(tx, actor, { action: 'refund.created', target, after }, now);
    return { status: 201, body: presentLedgerEntry(entry, { mover_name: by?.name ?? null, key_name }) };
  });
}

/** The remaining charge in micro-dollars. It can change only under the lock of the generation's row. */
async function readRefundableAmount(tx: Tx, generationId: string): Promise<bigint> {
  const { type, amount_micro_usd } = ledgerEntries;
  const [row] = await tx
    .select({ left: sql<string>`coalesce(-sum(${amount_micro_usd}), 0)::text` })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.generation_id, generationId), inArray(type, ['SETTLE', 'REFUND'])));
  return BigInt(row?.left ?? 0);
}
