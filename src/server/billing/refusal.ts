import { formatUsd } from '#contract/money.ts';
import { driverCode } from '../idempotency/driver-code.ts';
import { ApiError } from '../http/api-error.ts';

/** What the trigger says of a refusal: amounts are whole micro-dollars. */
export type Detail = Readonly<Record<string, string | null>>;

/** By SQLSTATE: see the migration that makes `append_ledger_entry`. */
const REFUSALS: Readonly<Record<string, (detail: Detail, cause: unknown) => ApiError>> = {
  EM001: notCovered,
  EM002: aboveBudget,
  EM003: ({ left }, cause) =>
    new ApiError('invalid_request', `Of this charge, ${dollars(left)} is left to give back.`, { cause }),
};

/** More than is available. */
export function notCovered({ needed, available }: Detail, cause?: unknown): ApiError {
  const message = `This needs ${dollars(needed)}, and ${dollars(available)} is available.`;
  return new ApiError('insufficient_balance', message, { cause });
}

/** More than a budget leaves. */
export function aboveBudget(detail: Detail, cause?: unknown): ApiError {
  return new ApiError('insufficient_balance', budgetMessage(detail), { cause });
}

/** An entry that the database refused, as the answer that it means; any other error as it is. */
export function asRefusal(error: unknown): unknown {
  const refusal = REFUSALS[driverCode(error) ?? ''];
  return refusal ? refusal(detailOf(error), error) : error;
}

const dollars = (micro_usd: string | null | undefined): string => `$${formatUsd(BigInt(micro_usd ?? 0))}`;

function budgetMessage({ needed, left, limit, month, key_name, contact }: Detail): string {
  const whose = key_name == null ? 'this studio' : `the key “${key_name}”`;
  const when = new Date(`${month}-01T00:00:00Z`).toLocaleString('en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return (
    `This needs ${dollars(needed)}, and ${dollars(left)} is left of the ${dollars(limit)} that ${whose} may spend in ${when}. ` +
    `To get more, ask ${contact ?? 'whoever manages the keys and budgets of this studio'}.`
  );
}

function detailOf(error: unknown): Detail {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('detail' in at && typeof at.detail === 'string') return JSON.parse(at.detail) as Detail;
  }
  return {};
}
