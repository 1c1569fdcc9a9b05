import { isTimeDimension, type MarginGroup, PROGRAMS } from '#contract/money/ledger.ts';
import { formatUsd } from '#contract/money/money.ts';
import { COST_BASES } from '#contract/providers.ts';
import type { Margin, MarginRow, MarginSums } from '#contract/resources/margin.ts';
import {
  type DimensionLabel,
  type DimensionNames,
  labelsOf,
  readDimensionNames,
} from '#server/accounts/billing/reports/dimensions.ts';
import { readOutsideOrders } from '#server/accounts/billing/reports/cost-sums.ts';
import { DAY_MS, type Measure, sumBy, type Sums } from '#server/accounts/billing/reports/report.ts';
import { groupSums, totalSums } from '#server/accounts/billing/reports/report-table.ts';
import type { SpendingScope } from '#server/accounts/billing/reports/spending-scope.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { formatCsvRecord } from '#server/platform/core/csv.ts';
import { parseQueryTime } from '#server/platform/db/created-within.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readProviderNames } from './read-provider-names.ts';
import { readTextCosts } from './text-model-calls.ts';

const MEASURES = [
  'jobs',
  'charged',
  'cost',
  'corrected',
  'margin',
  ...COST_BASES,
  'unknownJobs',
] as const satisfies Measure[];
type WorkSums = Sums<(typeof MEASURES)[number]>;

/**
 * Compares charges with the costs of providers in a period, by default this month. The lowest margin comes first; times
 * are in order. Decision: Margin
 * @throws {ApiError} 422 if the period is empty or too long
 */
export async function readMargin(
  { db, clock }: Deps,
  scope: SpendingScope,
  { group_by, ...period }: MarginPeriod & { group_by: MarginGroup },
): Promise<Margin> {
  const { from, to } = resolveMarginPeriod(period, clock.now());
  const { organization_id } = scope;
  // Tasks without models are listed like models.
  const by = group_by === 'model' ? (['model', 'task'] as const) : [group_by];
  const sums = await sumBy(db, scope, { from, to }, by, MEASURES);
  const names: DimensionNames = {
    ...(await readDimensionNames(db, organization_id)),
    providers: await readProviderNames(db),
  };
  const [labelOf, labelTask] = [labelsOf(group_by, names), labelsOf('task', names)];
  const labelRow = ([value = null, task = null]: readonly (string | null)[]) =>
    nameGroup(group_by === 'model' && value === null ? labelTask(task) : labelOf(value));
  const rows = groupSums(sums.map((row) => ({ label: labelRow(row.values), sums: row.sums })))
    .map((row) => ({ id: row.label.id ?? PROGRAMS, name: row.label.name, sums: row.sums }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  if (!isTimeDimension(group_by)) rows.sort((a, b) => Number(a.sums.margin - b.sums.margin));
  return {
    object: 'billing_margin',
    currency: 'usd',
    from: from.toISOString(),
    to: to.toISOString(),
    group_by,
    data: rows.map((row) => ({ id: row.id, name: row.name, ...presentSums(row.sums) })),
    total: presentSums(totalSums(sums)),
    outside_orders_usd: formatUsd(await readOutsideOrders(db, scope, { from, to })),
    // They are nobody's order, so a part of the work has none.
    prompt_improvements:
      scope.key_ids === null && scope.tags.size === 0
        ? await readTextCosts(db, organization_id, { from, to })
        : { count: 0, cost_usd: formatUsd(0n) },
  };
}

/** A group without a name is called by its id. */
const nameGroup = ({ id, name }: DimensionLabel): DimensionLabel => ({ id: id ?? PROGRAMS, name: name || (id ?? '') });

const presentSums = (sums: WorkSums | undefined): MarginSums => ({
  count: Number(sums?.jobs ?? 0n),
  charged_usd: formatUsd(sums?.charged ?? 0n),
  cost_usd: formatUsd(sums?.cost ?? 0n),
  corrected_usd: formatUsd(sums?.corrected ?? 0n),
  margin_usd: formatUsd(sums?.margin ?? 0n),
  by_basis: {
    reported: Number(sums?.reported ?? 0n),
    computed: Number(sums?.computed ?? 0n),
    list: Number(sums?.list ?? 0n),
  },
  unknown_cost_count: Number(sums?.unknownJobs ?? 0n),
});

interface MarginPeriod {
  from?: string | undefined;
  to?: string | undefined;
}

/** A leap year. Limits the rows that one request reads. */
const MAX_DAYS = 366;

/**
 * Defaults to the current month in UTC up to the end of today; without `from`, to the month that ends with `to`.
 * @throws {ApiError} 422 if the period is empty or longer than 366 days
 */
function resolveMarginPeriod(period: MarginPeriod, now: Date): { from: Date; to: Date } {
  const to =
    period.to === undefined ? new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS) : parseQueryTime(period.to);
  const last = new Date(to.getTime() - 1);
  const from =
    period.from === undefined
      ? new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), 1))
      : parseQueryTime(period.from);
  if (from >= to) throw invalidPeriod('to', 'The period must end after it starts.');
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS)
    throw invalidPeriod('from', `Choose a period of at most ${MAX_DAYS} days.`);
  return { from, to };
}

const invalidPeriod = (path: string, message: string): ApiError =>
  new ApiError('invalid_request', message, { status: 422, details: [{ path, message }] });

const CSV_COLUMNS = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  jobs: ({ count }) => count,
  charged_usd: ({ charged_usd }) => charged_usd,
  cost_usd: ({ cost_usd }) => cost_usd,
  corrected_usd: ({ corrected_usd }) => corrected_usd,
  margin_usd: ({ margin_usd }) => margin_usd,
  reported_costs: ({ by_basis }) => by_basis.reported,
  computed_costs: ({ by_basis }) => by_basis.computed,
  list_costs: ({ by_basis }) => by_basis.list,
  unknown_costs: ({ unknown_cost_count }) => unknown_cost_count,
} as const satisfies Record<string, (row: MarginRow) => string | number>;

/** Formats the rows as CSV. Totals are left out, so that a spreadsheet can sum the columns. */
export async function* formatMargin({ group_by, data }: Margin): AsyncGenerator<string> {
  yield formatCsvRecord(['group_by', ...Object.keys(CSV_COLUMNS)]);
  for (const row of data) yield formatCsvRecord([group_by, ...Object.values(CSV_COLUMNS).map((column) => column(row))]);
}
