import { BUDGET_INTERVALS, parseBudgetScope } from '#contract/money/budget-scope.ts';
import type { BudgetExceeded } from '#contract/api/errors.ts';
import { formatMoney, formatUsd, parseUsd } from '#contract/money/money.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { sqlStateOf } from '#server/platform/db/postgres/sql-state.ts';

/** Detail of an error raised by the trigger; amounts are micro-dollars as text. */
type TriggerErrorDetail = Readonly<Record<string, string | null>>;

/** By SQLSTATE; db/migrations lists them. */
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
        neededMicroUsd: parseMicroUsd(needed),
        limit_micro_usd: parseMicroUsd(limit),
        leftMicroUsd: parseMicroUsd(left),
        contact: budget['contact'] ?? null,
      },
      cause,
    ),
  EM003: ({ left }, cause) =>
    new ApiError('invalid_request', `Only ${formatMoney(parseMicroUsd(left))} of this charge can still be refunded.`, {
      cause,
    }),
};

const parseMicroUsd = (microUsd: string | null | undefined): bigint => BigInt(microUsd ?? 0);

export function insufficientFundsError(neededMicroUsd: bigint, availableMicroUsd: bigint, cause?: unknown): ApiError {
  const message = `This needs ${formatMoney(neededMicroUsd)}, and ${formatMoney(availableMicroUsd)} is available.`;
  return new ApiError('insufficient_balance', message, { cause });
}

interface ExceededBudget extends Pick<
  BudgetExceeded,
  'id' | 'scope' | 'scope_name' | 'interval' | 'interval_start' | 'contact'
> {
  neededMicroUsd: bigint;
  limit_micro_usd: bigint;
  leftMicroUsd: bigint;
}

export function budgetExceededError(
  { neededMicroUsd, limit_micro_usd, leftMicroUsd, ...about }: ExceededBudget,
  cause?: unknown,
): ApiError {
  const message =
    `This needs ${formatMoney(neededMicroUsd)}, and ${formatMoney(leftMicroUsd)} is left of the ` +
    `${formatMoney(limit_micro_usd)} budget of ${describeScope(about)} for ${describeInterval(about)}. ` +
    `To get more, contact ${about.contact ?? 'an administrator'}.`;
  const budget = {
    ...about,
    key_name: about.scope.startsWith('key:') ? about.scope_name : null,
    month: about.interval_start.slice(0, 7),
    needed_usd: formatUsd(neededMicroUsd),
    limit_usd: formatUsd(limit_micro_usd),
    left_usd: formatUsd(leftMicroUsd),
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
 * @param placedCount orders before the one that was refused
 */
export function toTotalBillingError(error: unknown, orders: readonly PricedPart[], placedCount: number): unknown {
  if (!(error instanceof ApiError) || error.code !== 'insufficient_balance') return error;
  const detail = readErrorDetail(error);
  const sum = (parts: readonly PricedPart[]) => parts.reduce((total, part) => total + part.amount_micro_usd, 0n);
  const { budget } = error;
  if (!budget) {
    if (detail['available'] == null) return error;
    return insufficientFundsError(
      sum(orders),
      parseMicroUsd(detail['available']) + sum(orders.slice(0, placedCount)),
      error,
    );
  }
  const scope = parseBudgetScope(budget.scope);
  const counts = ({ model, tags }: PricedPart) =>
    scope?.type === 'model' ? scope.id === model : scope?.type === 'tag' ? tags[scope.name] === scope.value : true;
  return budgetExceededError(
    {
      ...budget,
      neededMicroUsd: sum(orders.filter(counts)),
      limit_micro_usd: parseUsd(budget.limit_usd),
      leftMicroUsd: parseUsd(budget.left_usd) + sum(orders.slice(0, placedCount).filter(counts)),
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
