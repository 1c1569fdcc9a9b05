import type { BudgetRefusal } from '#contract/errors.ts';
import { formatDollars, formatUsd, parseUsd } from '#contract/money.ts';
import { ORGANIZATION_BUDGET } from '../db/billing-schema.ts';
import { ApiError } from '../http/api-error.ts';
import { driverCode } from '../idempotency/driver-code.ts';

/** What the trigger says of a refusal; amounts are whole micro-dollars as text. */
type Detail = Readonly<Record<string, string | null>>;

/** By SQLSTATE: see the migration that defines `append_ledger_entry`. */
const REFUSALS: Readonly<Record<string, (detail: Detail, cause: unknown, key_id: string | undefined) => ApiError>> = {
  EM001: ({ needed, available }, cause) => notCovered(amount(needed), amount(available), cause),
  EM002: ({ needed, limit, left, month, key_name = null, contact = null }, cause, key_id = '') =>
    aboveBudget(
      {
        id: key_name === null ? ORGANIZATION_BUDGET : key_id,
        key_name,
        month: month ?? '',
        needed_usd: formatUsd(amount(needed)),
        limit_usd: formatUsd(amount(limit)),
        left_usd: formatUsd(amount(left)),
        contact,
      },
      cause,
    ),
  EM003: ({ left }, cause) =>
    new ApiError('invalid_request', `Only ${formatDollars(amount(left))} of this charge is left to refund.`, { cause }),
};

const amount = (micro_usd: string | null | undefined): bigint => BigInt(micro_usd ?? 0);

/** More than is available. */
export function notCovered(needed_micro_usd: bigint, available_micro_usd: bigint, cause?: unknown): ApiError {
  const message = `This needs ${formatDollars(needed_micro_usd)}, and ${formatDollars(available_micro_usd)} is available.`;
  return new ApiError('insufficient_balance', message, { cause });
}

/** More than a budget leaves. */
export function aboveBudget(budget: BudgetRefusal, cause?: unknown): ApiError {
  return new ApiError('insufficient_balance', budgetMessage(budget), { budget, cause });
}

/**
 * An entry that the database refused, as the error it means to the caller; any other error unchanged.
 * @param key_id whose spending the entry is
 */
export function asRefusal(error: unknown, key_id: string | undefined): unknown {
  const refusal = REFUSALS[driverCode(error) ?? ''];
  return refusal ? refusal(detailOf(error), error, key_id) : error;
}

function budgetMessage({ needed_usd, left_usd, limit_usd, month, key_name, contact }: BudgetRefusal): string {
  const [needed, left, limit] = [needed_usd, left_usd, limit_usd].map((usd) => formatDollars(parseUsd(usd)));
  const whose = key_name === null ? 'this studio' : `the key “${key_name}”`;
  const when = new Date(`${month}-01T00:00:00Z`).toLocaleString('en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return (
    `This needs ${needed}, and ${left} is left of the ${limit} budget of ${whose} for ${when}. ` +
    `To get more, contact ${contact ?? 'an admin of this studio'}.`
  );
}

function detailOf(error: unknown): Detail {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('detail' in at && typeof at.detail === 'string') return JSON.parse(at.detail) as Detail;
  }
  return {};
}
