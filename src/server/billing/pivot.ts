import { PIVOT_TIMES, type PivotDimension } from '#contract/ledger.ts';
import { formatUsd } from '#contract/money.ts';
import type { Pivot } from '#contract/resources/billing.ts';
import type { Deps } from '#server/deps.ts';
import { formatCsvRecord } from './csv.ts';
import { DAY_MS, readSpendingBuckets, type SpendingBucket } from './spending-buckets.ts';
import { type KeyOwners, labelBucket, readKeyOwners, type SpendingLabel } from './spending-labels.ts';
import type { SpendingScope } from './spending-scope.ts';
import { type OptionalPeriod, resolvePeriod, SNAPSHOT_TRANSACTION } from './summary.ts';

const MAX_ROWS = 200;
const MAX_COLUMNS = 50;
const OTHER: SpendingLabel = { id: 'other', name: 'Other' };

interface Sum {
  amount: bigint;
  previous: bigint;
  count: number;
}
type Dimension = (bucket: SpendingBucket) => SpendingLabel;

/**
 * Reads spending by two dimensions in `[from, to)`, with that of the period of the same length before beside it. At
 * most 200 rows and 50 columns: what is beyond the largest is summed as “Other”, so that all sums stay whole.
 */
export async function readPivot(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  scope: SpendingScope,
  { rows, columns, ...range }: { rows: PivotDimension; columns: PivotDimension } & OptionalPeriod,
): Promise<Pivot> {
  const { from, to } = resolvePeriod(range, clock.now());
  const previous = previousPeriod(from, to);
  const { current, before, owners } = await db.transaction(
    async (tx) => ({
      current: await readSpendingBuckets({ db: tx }, scope, from, to),
      before: await readSpendingBuckets({ db: tx }, scope, previous.from, from),
      owners: await readKeyOwners(tx, scope.organization_id),
    }),
    SNAPSHOT_TRANSACTION,
  );
  // Days of the previous period count for those that follow them by one period.
  const shifted = before.map((bucket) => ({ ...bucket, date: previous.shift(bucket.date) }));
  const [row_of, column_of] = [rows, columns].map((by) => dimension(by, owners)) as [Dimension, Dimension];
  const table = new PivotTable(row_of, column_of);
  for (const bucket of current)
    table.add(bucket, { amount: bucket.spent_micro_usd, previous: 0n, count: bucket.count });
  for (const bucket of shifted) table.add(bucket, { amount: 0n, previous: bucket.spent_micro_usd, count: 0 });
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

const isTime = (by: PivotDimension): boolean => PIVOT_TIMES.some((time) => time === by);

function dimension(by: PivotDimension, owners: KeyOwners): Dimension {
  const date = (id: string): SpendingLabel => ({ id, name: id });
  if (by === 'day') return (bucket) => date(bucket.date);
  if (by === 'month') return (bucket) => date(bucket.date.slice(0, 7));
  if (by === 'week') return (bucket) => date(mondayOf(bucket.date));
  return (bucket) => labelBucket(bucket, by, owners);
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
  const length_ms = Math.max(to.getTime() - from.getTime(), 0);
  const days_ms = Math.round(length_ms / DAY_MS) * DAY_MS;
  const shift = (day: string) => new Date(Date.parse(`${day}T00:00:00.000Z`) + days_ms).toISOString().slice(0, 10);
  return { from: new Date(from.getTime() - length_ms), shift };
}

/** The 31st becomes the last day of a shorter month. */
function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last))).toISOString().slice(0, 10);
}

class PivotTable {
  readonly #cells = new Map<string, { row: SpendingLabel; column: SpendingLabel; sum: Sum }>();
  readonly #row_of: Dimension;
  readonly #column_of: Dimension;

  constructor(row_of: Dimension, column_of: Dimension) {
    this.#row_of = row_of;
    this.#column_of = column_of;
  }

  add(bucket: SpendingBucket, sum: Sum): void {
    const [row, column] = [this.#row_of(bucket), this.#column_of(bucket)];
    const cell = JSON.stringify([row.id, column.id]);
    this.#cells.set(cell, { row, column, sum: plus(this.#cells.get(cell)?.sum, sum) });
  }

  present(by_time: { rows: boolean; columns: boolean }): Pick<Pivot, 'rows' | 'columns' | 'total'> {
    const cells = [...this.#cells.values()];
    const rows = rank(
      cells.map(({ row, sum }) => ({ label: row, sum })),
      MAX_ROWS,
      by_time.rows,
    );
    const columns = rank(
      cells.map(({ column, sum }) => ({ label: column, sum })),
      MAX_COLUMNS,
      by_time.columns,
    );
    const sums = new Map<string, Sum>();
    for (const { row, column, sum } of cells) {
      const place = JSON.stringify([rows.placeOf(row).id, columns.placeOf(column).id]);
      sums.set(place, plus(sums.get(place), sum));
    }
    return {
      columns: columns.headings.map(({ label, sum }) => ({ ...label, total: presentSum(sum) })),
      rows: rows.headings.map(({ label, sum }) => ({
        ...label,
        total: presentSum(sum),
        cells: columns.headings.map((column) => presentSum(sums.get(JSON.stringify([label.id, column.label.id])))),
      })),
      total: presentSum(cells.reduce<Sum | undefined>((total, { sum }) => plus(total, sum), undefined)),
    };
  }
}

interface Heading {
  label: SpendingLabel;
  sum: Sum;
}

/** Sums headings and orders them: times by date, others by amount. Those beyond `limit` become one. */
function rank(parts: readonly Heading[], limit: number, by_time: boolean) {
  const known = new Map<string | null, Heading>();
  for (const { label, sum } of parts) known.set(label.id, { label, sum: plus(known.get(label.id)?.sum, sum) });
  const byAmount = [...known.values()].toSorted(
    (a, b) => compare(size(b), size(a)) || compare(a.label.name, b.label.name),
  );
  const kept = byAmount.length > limit ? byAmount.slice(0, limit - 1) : byAmount;
  const rest = byAmount.slice(kept.length).reduce<Sum | undefined>((total, { sum }) => plus(total, sum), undefined);
  const ordered = by_time ? kept.toSorted((a, b) => compare(a.label.name, b.label.name)) : kept;
  const ids = new Set(kept.map(({ label }) => label.id));
  return {
    headings: rest ? [...ordered, { label: OTHER, sum: rest }] : ordered,
    placeOf: (label: SpendingLabel): SpendingLabel => (ids.has(label.id) ? label : OTHER),
  };
}

const size = ({ sum }: Heading): bigint => (sum.amount > sum.previous ? sum.amount : sum.previous);
const compare = <T extends bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

const plus = (a: Sum | undefined, b: Sum): Sum =>
  a ? { amount: a.amount + b.amount, previous: a.previous + b.previous, count: a.count + b.count } : b;

const presentSum = (sum: Sum | undefined) => ({
  amount_usd: formatUsd(sum?.amount ?? 0n),
  previous_usd: formatUsd(sum?.previous ?? 0n),
  count: sum?.count ?? 0,
});

/** Formats exactly the table that the dashboard shows: two columns for each, the amount and that of the period before. */
export async function* formatPivot({ rows_by, columns, rows, total }: Pivot): AsyncGenerator<string> {
  const headings = [...columns.map(({ name }) => name), 'Total'];
  yield formatCsvRecord([rows_by, 'id', ...headings.flatMap((name) => [name, `${name} (previous period)`])]);
  const amounts = (cells: readonly Pivot['total'][]) =>
    cells.flatMap(({ amount_usd, previous_usd }) => [amount_usd, previous_usd]);
  for (const row of rows) yield formatCsvRecord([row.name, row.id, ...amounts([...row.cells, row.total])]);
  yield formatCsvRecord(['Total', null, ...amounts([...columns.map((column) => column.total), total])]);
}
