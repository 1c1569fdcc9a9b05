import type { BudgetExceeded } from '#contract/errors.ts';
import { formatDollars, formatUsd, parseUsd } from '#contract/money.ts';
import { ORGANIZATION_BUDGET } from '#server/db/billing-schema.ts';
import { ApiError } from '#server/core/api-error.ts';
import { sqlStateOf } from '#server/db/sql-state.ts';

/** Detail of an error raised by the trigger; amounts are micro-dollars as text. */
type TriggerErrorDetail = Readonly<Record<string, string | null>>;

/** By SQLSTATE; db/ledger.sql lists them. */
const ERRORS_BY_SQLSTATE: Readonly<
  Record<string, (detail: TriggerErrorDetail, cause: unknown, key_id: string | undefined) => ApiError>
> = {
  EM001: ({ needed, available }, cause) =>
    insufficientFundsError(parseMicroUsd(needed), parseMicroUsd(available), cause),
  EM002: ({ needed, limit, left, month, key_name = null, contact = null }, cause, key_id = '') =>
    budgetExceededError(
      {
        id: key_name === null ? ORGANIZATION_BUDGET : key_id,
        key_name,
        month: month ?? '',
        needed_usd: formatUsd(parseMicroUsd(needed)),
        limit_usd: formatUsd(parseMicroUsd(limit)),
        left_usd: formatUsd(parseMicroUsd(left)),
        contact,
      },
      cause,
    ),
  EM003: ({ left }, cause) =>
    new ApiError(
      'invalid_request',
      `Only ${formatDollars(parseMicroUsd(left))} of this charge can still be refunded.`,
      { cause },
    ),
};

const parseMicroUsd = (micro_usd: string | null | undefined): bigint => BigInt(micro_usd ?? 0);

export function insufficientFundsError(
  needed_micro_usd: bigint,
  available_micro_usd: bigint,
  cause?: unknown,
): ApiError {
  const message = `This needs ${formatDollars(needed_micro_usd)}, and ${formatDollars(available_micro_usd)} is available.`;
  return new ApiError('insufficient_balance', message, { cause });
}

export function budgetExceededError(budget: BudgetExceeded, cause?: unknown): ApiError {
  return new ApiError('insufficient_balance', budgetExceededMessage(budget), { budget, cause });
}

/**
 * Converts a rejected entry to an API error; returns any other error unchanged.
 * @param key_id key that created the generation
 */
export function toBillingError(error: unknown, key_id: string | undefined): unknown {
  const refusal = ERRORS_BY_SQLSTATE[sqlStateOf(error) ?? ''];
  return refusal ? refusal(readErrorDetail(error), error, key_id) : error;
}

function budgetExceededMessage({ needed_usd, left_usd, limit_usd, month, key_name, contact }: BudgetExceeded): string {
  const [needed, left, limit] = [needed_usd, left_usd, limit_usd].map((usd) => formatDollars(parseUsd(usd)));
  const owner = key_name === null ? 'this organization' : `the key “${key_name}”`;
  const when = new Date(`${month}-01T00:00:00Z`).toLocaleString('en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return (
    `This needs ${needed}, and ${left} is left of the ${limit} budget of ${owner} for ${when}. ` +
    `To get more, contact ${contact ?? 'an administrator'}.`
  );
}

function readErrorDetail(error: unknown): TriggerErrorDetail {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('detail' in at && typeof at.detail === 'string') return JSON.parse(at.detail) as TriggerErrorDetail;
  }
  return {};
}
