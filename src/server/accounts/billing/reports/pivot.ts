import { isTimeDimension, type PivotDimension } from '#contract/money/ledger.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { Pivot } from '#contract/resources/billing.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { formatCsvRecord } from '#server/platform/core/csv.ts';
import { labelsOf, readDimensionNames } from './dimensions.ts';
import { DAY_MS, type OptionalPeriod, sumBy } from './report.ts';
import { type CrossedSums, crossSums } from './report-table.ts';
import type { SpendingScope } from './spending-scope.ts';
import { resolvePeriod, SNAPSHOT_TRANSACTION } from './summary.ts';

const MAX_ROWS = 200;
const MAX_COLUMNS = 50;

type CellSum = 'spent' | 'previous' | 'charges';
const sizeOf = ({ spent, previous }: Record<CellSum, bigint>) => (spent > previous ? spent : previous);

/**
 * Reads spending by one or two dimensions in `[from, to)`, with that of the period of the same length before beside it.
 * At most 200 rows and 50 columns: what is beyond the largest is summed as “Other”, so that all sums stay whole.
 * @throws {ApiError} 422 for more than 366 days
 */
export async function readPivot(
  { db, clock }: Deps,
  scope: SpendingScope,
  { rows, columns = null, ...range }: PivotQuery,
): Promise<Pivot> {
  const { from, to } = resolvePeriod(range, clock.now());
  assertPeriod(from, to);
  const previous = previousPeriod(from, to);
  const by = columns === null ? [rows] : [rows, columns];
  const { current, before, names } = await db.transaction(
    async (tx) => ({
      current: await sumBy(tx, scope, { from, to }, by, ['spent', 'charges']),
      before: await sumBy(tx, scope, { from: previous.from, to: from }, by, ['spent']),
      names: await readDimensionNames(tx, scope.organization_id),
    }),
    SNAPSHOT_TRANSACTION,
  );
  const labels = by.map((dimension) => labelsOf(dimension, names));
  const labelCell = (values: readonly (string | null)[]) => {
    const [row = NO_COLUMN, column = NO_COLUMN] = labels.map((labelOf, index) => labelOf(values[index] ?? null));
    return { row, column };
  };
  // Days of the previous period count for those that follow them by one period.
  const shift = (value: string | null, index: number) =>
    value !== null && isTimeDimension(by[index] ?? rows) ? previous.shift(value) : value;
  const cells: CrossedSums<CellSum>[] = [
    ...current.map(({ values, sums }) => ({ ...labelCell(values), sums: { ...sums, previous: 0n } })),
    ...before.map(({ values, sums }) => ({
      ...labelCell(values.map(shift)),
      sums: { spent: 0n, charges: 0n, previous: sums.spent },
    })),
  ];
  const table = crossSums(cells, {
    rows: { limit: MAX_ROWS, isTime: isTimeDimension(rows), size: sizeOf },
    columns: { limit: MAX_COLUMNS, isTime: columns !== null && isTimeDimension(columns), size: sizeOf },
  });
  const hasColumns = columns !== null;
  return {
    object: 'pivot',
    rows_by: rows,
    columns_by: columns,
    from: from.toISOString(),
    to: to.toISOString(),
    previous_from: previous.from.toISOString(),
    columns: hasColumns ? table.columns.map(({ label, sums }) => ({ ...label, total: presentCell(sums) })) : [],
    rows: table.rows.map(({ label, sums, cells: ofRow }) => ({
      ...label,
      total: presentCell(sums),
      cells: hasColumns ? ofRow.map(presentCell) : [],
    })),
    total: presentCell(table.total),
  };
}

type PivotQuery = { rows: PivotDimension; columns?: PivotDimension | null | undefined } & OptionalPeriod;

const NO_COLUMN = { id: null, name: '' };

const presentCell = (sums: Record<CellSum, bigint> | undefined): Pivot['total'] => ({
  amount_usd: formatUsd(sums?.spent ?? 0n),
  previous_usd: formatUsd(sums?.previous ?? 0n),
  count: Number(sums?.charges ?? 0n),
});

const MAX_DAYS = 366;

function assertPeriod(from: Date, to: Date): void {
  if (to.getTime() - from.getTime() <= MAX_DAYS * DAY_MS) return;
  const message = `Choose a period of at most ${MAX_DAYS} days.`;
  throw new ApiError('invalid_request', message, { status: 422, details: [{ path: 'from', message }] });
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

/** Formats the table that the dashboard shows: two columns for each, the amount and that of the period before. */
export async function* formatPivot({ rows_by, columns_by, columns, rows, total }: Pivot): AsyncGenerator<string> {
  const headings = [...columns.map(({ name }) => name), 'Total'];
  // With columns, the number of charges would stand between amounts.
  const counts = (count: number | string) => (columns_by === null ? [count] : []);
  const names = headings.flatMap((name) => [name, `${name} (previous period)`]);
  yield formatCsvRecord([rows_by, 'id', ...names, ...counts('Charges')]);
  const amounts = (cells: readonly Pivot['total'][]) =>
    cells.flatMap(({ amount_usd, previous_usd }) => [amount_usd, previous_usd]);
  for (const row of rows)
    yield formatCsvRecord([row.name, row.id, ...amounts([...row.cells, row.total]), ...counts(row.total.count)]);
  const totals = amounts([...columns.map((column) => column.total), total]);
  yield formatCsvRecord(['Total', null, ...totals, ...counts(total.count)]);
}
