import { parseUsd } from '#contract/money.ts';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import type { Deps } from '#server/deps.ts';
import { ApiError } from '#server/core/api-error.ts';
import { type StoredResponse, type IdempotentRequest, withIdempotency } from '#server/idempotency/with-idempotency.ts';
import { appendEntry } from './append-entries.ts';
import { presentLedgerEntry } from './present-ledger-entry.ts';

export interface CreditRequest {
  /** Decimal dollars; negative amounts reduce the balance. */
  amount_usd: string;
  description: string;
  /** The API key that moves the money; null: the command line. */
  by: { id: string; name: string } | null;
}

/**
 * Adds credit (ADMIN_CREDIT) or, for a negative amount, an ADJUSTMENT. Decision: Credits and refunds
 * @param keyed undefined without an Idempotency-Key
 * @throws {ApiError} 400 `invalid_request` for a zero amount or more than is available; 409, 503
 */
export async function addCredit(
  deps: Pick<Deps, 'db' | 'clock'>,
  organization_id: string,
  { amount_usd, description, by }: CreditRequest,
  keyed?: IdempotentRequest,
): Promise<StoredResponse<LedgerEntry>> {
  const amount_micro_usd = parseUsd(amount_usd);
  if (amount_micro_usd === 0n) throw new ApiError('invalid_request', 'Enter an amount other than zero.');
  const type = amount_micro_usd > 0n ? ('ADMIN_CREDIT' as const) : ('ADJUSTMENT' as const);
  const draft = { type, amount_micro_usd, description, created_by: by?.id ?? null };
  try {
    return await withIdempotency(deps, keyed, async (tx) => {
      const entry = await appendEntry(tx, organization_id, draft, deps.clock.now());
      return { status: 201, body: presentLedgerEntry(entry, { mover_name: by?.name ?? null, key_name: null }) };
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'insufficient_balance') throw error;
    throw new ApiError('invalid_request', error.message, { cause: error });
  }
}
