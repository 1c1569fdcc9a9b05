import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import { type AuditActor, actingKey, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import {
  type StoredResponse,
  type IdempotentRequest,
  withIdempotency,
} from '#server/accounts/idempotency/with-idempotency.ts';
import { appendEntry } from './ledger/append-entries.ts';
import { presentLedgerEntry } from './ledger/present-ledger-entry.ts';

export interface CreditRequest {
  /** Decimal dollars; negative amounts reduce the balance. */
  amount_usd: string;
  description: string;
}

/**
 * Adds credit (ADMIN_CREDIT) or, for a negative amount, an ADJUSTMENT. Decision: Credits and refunds
 * @param keyed undefined without an Idempotency-Key
 * @throws {ApiError} 400 `invalid_request` for a zero amount or more than is available; 409, 503
 */
export async function addCredit(
  deps: Pick<Deps, 'db' | 'clock'>,
  actor: AuditActor,
  { amount_usd, description }: CreditRequest,
  keyed?: IdempotentRequest,
): Promise<StoredResponse<LedgerEntry>> {
  const amountMicroUsd = parseUsd(amount_usd);
  if (amountMicroUsd === 0n) throw new ApiError('invalid_request', 'Enter an amount other than zero.');
  const by = actingKey(actor);
  const type = amountMicroUsd > 0n ? ('ADMIN_CREDIT' as const) : ('ADJUSTMENT' as const);
  const draft = { type, amount_micro_usd: amountMicroUsd, description, created_by: by?.id ?? null };
  try {
    return await withIdempotency(deps, keyed, async (tx) => {
      const now = deps.clock.now();
      const entry = await appendEntry(tx, actor.organization_id, draft, now);
      const target = { type: 'ledger_entry', id: entry.id };
      const after = { amount_usd: formatUsd(amountMicroUsd), description };
      await recordAuditEvent(tx, actor, { action: 'credit.added', target, after }, now);
      return { status: 201, body: presentLedgerEntry(entry, { mover_name: by?.name ?? null, key_name: null }) };
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'insufficient_balance') throw error;
    throw new ApiError('invalid_request', error.message, { cause: error });
  }
}
