import { formatUsd } from '#contract/money.ts';
import type { Pivot } from '#contract/resources/billing.ts';
import type { SpendingLabel } from './spending-labels.ts';

const MAX_ROWS = 200;
const MAX_COLUMNS = 50;
const OTHER: SpendingLabel = { id: '(other)', name: 'Other' };
/** No heading has it: those of others are JSON. */
const OTHER_KEY = 'other';

interface Sum {
  amount: bigint;
  previous: bigint;
  count: number;
}

/** Sums cells into rows and columns; what is beyond the largest becomes “Other”. */
export class PivotTable {
  readonly #cells = new Map<string, { row: SpendingLabel; column: SpendingLabel; sum: Sum }>();

  add(row: SpendingLabel, column: SpendingLabel, sum: Sum): void {
    const cell = JSON.stringify([row.id, column.id]);
    this.#cells.set(cell, { row, column, sum: plus(this.#cells.get(cell)?.sum, sum) });
  }

  present(byTime: { rows: boolean; columns: boolean }): Pick<Pivot, 'rows' | 'columns' | 'total'> {
    const cells = [...this.#cells.values()];
    const rows = rankSums(
      cells.map(({ row, sum }) => ({ label: row, sum })),
      MAX_ROWS,
      byTime.rows,
    );
    const columns = rankSums(
      cells.map(({ column, sum }) => ({ label: column, sum })),
      MAX_COLUMNS,
      byTime.columns,
    );
    const sums = new Map<string, Sum>();
    for (const { row, column, sum } of cells) {
      const place = placeOf(rows.keyOf(row), columns.keyOf(column));
      sums.set(place, plus(sums.get(place), sum));
    }
    return {
      columns: columns.headings.map(({ label, sum }) => ({ ...label, total: presentSum(sum) })),
      rows: rows.headings.map(({ key, label, sum }) => ({
        ...label,
        total: presentSum(sum),
        cells: columns.headings.map((column) => presentSum(sums.get(placeOf(key, column.key)))),
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
export function rankSums(parts: readonly Heading[], limit: number, byTime: boolean) {
  const known = new Map<string | null, Heading>();
  for (const { label, sum } of parts) known.set(label.id, { label, sum: plus(known.get(label.id)?.sum, sum) });
  const byAmount = [...known.values()].toSorted(
    (a, b) => compare(size(b), size(a)) || compare(a.label.name, b.label.name),
  );
  const kept = byAmount.length > limit ? byAmount.slice(0, limit - 1) : byAmount;
  const rest = byAmount.slice(kept.length).reduce<Sum | undefined>((total, { sum }) => plus(total, sum), undefined);
  const ordered = byTime ? kept.toSorted((a, b) => compare(a.label.name, b.label.name)) : kept;
  const keys = new Set(kept.map(keyOfHeading));
  return {
    headings: [
      ...ordered.map((heading) => ({ ...heading, key: keyOfHeading(heading) })),
      ...(rest ? [{ label: OTHER, sum: rest, key: OTHER_KEY }] : []),
    ],
    keyOf(label: SpendingLabel): string {
      const key = keyOfHeading({ label });
      return keys.has(key) ? key : OTHER_KEY;
    },
  };
}

const keyOfHeading = ({ label }: Pick<Heading, 'label'>): string => JSON.stringify(label.id);
const placeOf = (row: string, column: string): string => `${row} ${column}`;

const size = ({ sum }: Heading): bigint => (sum.amount > sum.previous ? sum.amount : sum.previous);
const compare = <T extends bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

const plus = (a: Sum | undefined, b: Sum): Sum =>
  a ? { amount: a.amount + b.amount, previous: a.previous + b.previous, count: a.count + b.count } : b;

const presentSum = (sum: Sum | undefined) => ({
  amount_usd: formatUsd(sum?.amount ?? 0n),
  previous_usd: formatUsd(sum?.previous ?? 0n),
  count: sum?.count ?? 0,
});
