import { BUDGET_INTERVALS, parseBudgetScope } from '#contract/budget-scope.ts';
import type { BudgetExceeded } from '#contract/errors.ts';
import { formatMoney, formatUsd, parseUsd } from '#contract/money.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { sqlStateOf } from '#server/platform/db/sql-state.ts';

/** Detail of an error raised by the trigger; amounts are micro-dollars as text. */
type TriggerErrorDetail = Readonly<Record<string, string | null>>;

/** By SQLSTATE; db/ledger.sql lists them. */
const ERRORS_BY_SQLSTATE: Readonly<Record<string, (detail: TriggerErrorDetail, cause: unknown) => ApiError>> = {
  EM001: ({ needed, available }, cause) =>
    insufficientFundsError(parseMicroUsd(needed), parseMicroUsd(available), cause),
  EM002: ({ needed, limit, left, ...budget }, cause) =>
    budgetExceededError(
      {
        id: budget['id'] ?? '',
        scope: budget['scope'] ?? '',
        scope_name: budget['scope_name'] ?? null,
        interval: BUDGET_INTERVALS.find((interval) => interval === budget['interval']) ?? 'month',
        interval_start: budget['interval_start'] ?? '',
        needed_micro_usd: parseMicroUsd(needed),
        limit_micro_usd: parseMicroUsd(limit),
        left_micro_usd: parseMicroUsd(left),
        contact: budget['contact'] ?? null,
      },
      cause,
    ),
  EM003: ({ left }, cause) =>
    new ApiError('invalid_request', `Only ${formatMoney(parseMicroUsd(left))} of this charge can still be refunded.`, {
      cause,
    }),
};

const parseMicroUsd = (micro_usd: string | null | undefined): bigint => BigInt(micro_usd ?? 0);

export function insufficientFundsError(
  needed_micro_usd: bigint,
  available_micro_usd: bigint,
  cause?: unknown,
): ApiError {
  const message = `This needs ${formatMoney(needed_micro_usd)}, and ${formatMoney(available_micro_usd)} is available.`;
  return new ApiError('insufficient_balance', message, { cause });
}

interface ExceededBudget extends Pick<
  BudgetExceeded,
  'id' | 'scope' | 'scope_name' | 'interval' | 'interval_start' | 'contact'
> {
  needed_micro_usd: bigint;
  limit_micro_usd: bigint;
  left_micro_usd: bigint;
}

export function budgetExceededError(
  { needed_micro_usd, limit_micro_usd, left_micro_usd, ...about }: ExceededBudget,
  cause?: unknown,
): ApiError {
  const message =
    `This needs ${formatMoney(needed_micro_usd)}, and ${formatMoney(left_micro_usd)} is left of the ` +
    `${formatMoney(limit_micro_usd)} budget of ${describeScope(about)} for ${describeInterval(about)}. ` +
    `To get more, contact ${about.contact ?? 'an administrator'}.`;
  const budget = {
    ...about,
    key_name: about.scope.startsWith('key:') ? about.scope_name : null,
    month: about.interval_start.slice(0, 7),
    needed_usd: formatUsd(needed_micro_usd),
    limit_usd: formatUsd(limit_micro_usd),
    left_usd: formatUsd(left_micro_usd),
  };
  return new ApiError('insufficient_balance', message, { budget, cause });
}

/** Converts a rejected entry to an API error; returns any other error unchanged. */
export function toBillingError(error: unknown): unknown {
  const refusal = ERRORS_BY_SQLSTATE[sqlStateOf(error) ?? ''];
  return refusal ? refusal(readErrorDetail(error), error) : error;
}

interface PricedPart {
  amount_micro_usd: bigint;
  model: string | null;
  tags: Readonly<Record<string, string>>;
}

/**
 * Restates the refusal of one of several orders that are placed together, for all of them: what they need in total, and
 * what there was before the first. Any other error is returned unchanged.
 * @param placed_count orders before the one that was refused
 */
export function toTotalBillingError(error: unknown, orders: readonly PricedPart[], placed_count: number): unknown {
  if (!(error instanceof ApiError) || error.code !== 'insufficient_balance') return error;
  const detail = readErrorDetail(error);
  const sum = (parts: readonly PricedPart[]) => parts.reduce((total, part) => total + part.amount_micro_usd, 0n);
  const { budget } = error;
  if (!budget) {
    if (detail['available'] == null) return error;
    return insufficientFundsError(
      sum(orders),
      parseMicroUsd(detail['available']) + sum(orders.slice(0, placed_count)),
      error,
    );
  }
  const scope = parseBudgetScope(budget.scope);
  const counts = ({ model, tags }: PricedPart) =>
    scope?.type === 'model' ? scope.id === model : scope?.type === 'tag' ? tags[scope.name] === scope.value : true;
  return budgetExceededError(
    {
      ...budget,
      needed_micro_usd: sum(orders.filter(counts)),
      limit_micro_usd: parseUsd(budget.limit_usd),
      left_micro_usd: parseUsd(budget.left_usd) + sum(orders.slice(0, placed_count).filter(counts)),
    },
    error,
  );
}

function describeScope({ scope, scope_name }: Pick<ExceededBudget, 'scope' | 'scope_name'>): string {
  const parsed = parseBudgetScope(scope);
  if (parsed?.type === 'key') return `the key “${scope_name ?? ''}”`;
  if (parsed?.type === 'person') return scope_name ?? 'this person';
  if (parsed?.type === 'model') return `the model ${parsed.id}`;
  if (parsed?.type === 'tag') return `${parsed.name} “${parsed.value}”`;
  return 'this organization';
}

function describeInterval({ interval, interval_start }: Pick<ExceededBudget, 'interval' | 'interval_start'>): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Date(`${interval_start}T00:00:00Z`).toLocaleString('en', { ...options, timeZone: 'UTC' });
  if (interval === 'month') return format({ month: 'long', year: 'numeric' });
  const day = format({ month: 'long', day: 'numeric' });
  return interval === 'week' ? `the week of ${day}` : day;
}

function readErrorDetail(error: unknown): TriggerErrorDetail {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('detail' in at && typeof at.detail === 'string') return JSON.parse(at.detail) as TriggerErrorDetail;
  }
  return {};
}
