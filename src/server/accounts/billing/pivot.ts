import { PIVOT_TIMES, type PivotDimension } from '#contract/ledger.ts';
import type { Pivot } from '#contract/resources/billing.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { formatCsvRecord } from '#server/platform/core/csv.ts';
import { PivotTable } from './pivot-table.ts';
import { type SpendingNames, labelSpending, readSpendingNames, type SpendingLabel } from './spending-labels.ts';
import type { SpendingScope } from './spending-scope.ts';
import { DAY_MS, type OptionalPeriod, type SumDimension, sumSpending } from './sum-entries.ts';
import { resolvePeriod, SNAPSHOT_TRANSACTION } from './summary.ts';

/**
 * Reads spending by two dimensions in `[from, to)`, with that of the period of the same length before beside it. At
 * most 200 rows and 50 columns: what is beyond the largest is summed as “Other”, so that all sums stay whole.
 * @throws {ApiError} 422 for more than 366 days
 */
export async function readPivot(
  { db, clock }: Deps,
  scope: SpendingScope,
  { rows, columns, ...range }: { rows: PivotDimension; columns: PivotDimension } & OptionalPeriod,
): Promise<Pivot> {
  const { from, to } = resolvePeriod(range, clock.now());
  assertPeriod(from, to);
  const previous = previousPeriod(from, to);
  const by = [rows, columns].map((dimension): SumDimension => (isTime(dimension) ? 'day' : dimension));
  const { current, before, owners } = await db.transaction(
    async (tx) => ({
      current: await sumSpending(tx, scope, { from, to }, by),
      before: await sumSpending(tx, scope, { from: previous.from, to: from }, by),
      owners: await readSpendingNames(tx, scope.organization_id),
    }),
    SNAPSHOT_TRANSACTION,
  );
  const [rowOf, columnOf] = [label(rows, owners), label(columns, owners)];
  const table = new PivotTable();
  for (const { values, spent_micro_usd, count } of current) {
    const [row = null, column = null] = values;
    table.add(rowOf(row), columnOf(column), { amount: spent_micro_usd, previous: 0n, count });
  }
  // Days of the previous period count for those that follow them by one period.
  const shift = (value: string | null, dimension: PivotDimension) =>
    value !== null && isTime(dimension) ? previous.shift(value) : value;
  for (const { values, spent_micro_usd } of before) {
    const [row = null, column = null] = values;
    const [shiftedRow, shiftedColumn] = [rowOf(shift(row, rows)), columnOf(shift(column, columns))];
    table.add(shiftedRow, shiftedColumn, { amount: 0n, previous: spent_micro_usd, count: 0 });
  }
  return {
    object: 'pivot',
    rows_by: rows,
    columns_by: columns,
    from: from.toISOString(),
    to: to.toISOString(),
    previous_from: previous.from.toISOString(),
    ...table.present({ rows: isTime(rows), columns: isTime(columns) }),
  };
}

const MAX_DAYS = 366;

function assertPeriod(from: Date, to: Date): void {
  if (to.getTime() - from.getTime() <= MAX_DAYS * DAY_MS) return;
  const message = `Choose a period of at most ${MAX_DAYS} days.`;
  throw new ApiError('invalid_request', message, { status: 422, details: [{ path: 'from', message }] });
}

const isTime = (by: PivotDimension): by is (typeof PIVOT_TIMES)[number] => PIVOT_TIMES.some((time) => time === by);

function label(by: PivotDimension, owners: SpendingNames): (value: string | null) => SpendingLabel {
  if (!isTime(by)) return (value) => labelSpending(value, by, owners);
  const date = (id: string): SpendingLabel => ({ id, name: id });
  if (by === 'day') return (day) => date(day ?? '');
  return by === 'month' ? (day) => date(day?.slice(0, 7) ?? '') : (day) => date(mondayOf(day ?? ''));
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** Whole calendar months are compared with as many months before, everything else with as many days. */
function previousPeriod(from: Date, to: Date): { from: Date; shift: (day: string) => string } {
  const isMonthStart = (date: Date) => date.getUTCDate() === 1 && date.getTime() % DAY_MS === 0;
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  if (isMonthStart(from) && isMonthStart(to) && months > 0) {
    const earlier = new Date(from);
    earlier.setUTCMonth(earlier.getUTCMonth() - months);
    return { from: earlier, shift: (day) => addMonths(day, months) };
  }
  const lengthMs = Math.max(to.getTime() - from.getTime(), 0);
  const daysMs = Math.round(lengthMs / DAY_MS) * DAY_MS;
  const shift = (day: string) => new Date(Date.parse(`${day}T00:00:00.000Z`) + daysMs).toISOString().slice(0, 10);
  return { from: new Date(from.getTime() - lengthMs), shift };
}

/** The 31st becomes the last day of a shorter month. */
function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last))).toISOString().slice(0, 10);
}

/** Formats exactly the table that the dashboard shows: two columns for each, the amount and that of the period before. */
export async function* formatPivot({ rows_by, columns, rows, total }: Pivot): AsyncGenerator<string> {
  const headings = [...columns.map(({ name }) => name), 'Total'];
  yield formatCsvRecord([rows_by, 'id', ...headings.flatMap((name) => [name, `${name} (previous period)`])]);
  const amounts = (cells: readonly Pivot['total'][]) =>
    cells.flatMap(({ amount_usd, previous_usd }) => [amount_usd, previous_usd]);
  for (const row of rows) yield formatCsvRecord([row.name, row.id, ...amounts([...row.cells, row.total])]);
  yield formatCsvRecord(['Total', null, ...amounts([...columns.map((column) => column.total), total])]);
}
