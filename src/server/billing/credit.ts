import { parseUsd } from '#contract/money.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { type LedgerRow, appendEntry } from './append.ts';

/**
 * Adds credit (ADMIN_CREDIT) or, where the amount is negative, takes it back (ADJUSTMENT). Decision: Credentials
 * @param credit.created_by id of the API key; null from the shell
 * @throws {ApiError} 400 `invalid_request` for no amount, and for more than is available
 */
export async function addCredit(
  deps: Pick<Deps, 'db' | 'clock'>,
  organization_id: string,
  credit: { amount_usd: string; description: string; created_by: string | null },
): Promise<LedgerRow> {
  const amount_micro_usd = parseUsd(credit.amount_usd);
  if (amount_micro_usd === 0n) throw new ApiError('invalid_request', 'Give an amount other than zero.');
  const draft = {
    type: amount_micro_usd > 0n ? ('ADMIN_CREDIT' as const) : ('ADJUSTMENT' as const),
    amount_micro_usd,
    description: credit.description,
    created_by: credit.created_by,
  };
  try {
    return await deps.db.transaction((tx) => appendEntry(tx, organization_id, draft, deps.clock.now()));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'insufficient_balance') throw error;
    throw new ApiError('invalid_request', error.message, { cause: error });
  }
}
