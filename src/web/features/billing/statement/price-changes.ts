import type { Statement } from '#contract/resources/audit.ts';

type Book = Statement['prices'][number];
export type PriceRow = Book['data'][number];

/** One price that differs between two price books; null where it is in one of them only. */
export interface PriceChange {
  before: PriceRow | null;
  after: PriceRow | null;
}

const nameOf = ({ task, model }: PriceRow) => `${task} ${model ?? ''}`;
const priceOf = ({ unit, unit_price_usd, minimum_usd }: PriceRow) => `${unit} ${unit_price_usd} ${minimum_usd}`;

/** The prices that differ between two books, in the order of the later one, removed ones last. */
export function priceChanges(before: Book, after: Book): PriceChange[] {
  const earlier = new Map(before.data.map((row) => [nameOf(row), row]));
  const later = new Set(after.data.map(nameOf));
  const changed = after.data
    .map((row) => ({ before: earlier.get(nameOf(row)) ?? null, after: row }))
    .filter((change) => change.before === null || priceOf(change.before) !== priceOf(change.after));
  const removed = before.data.filter((row) => !later.has(nameOf(row))).map((row) => ({ before: row, after: null }));
  return [...changed, ...removed];
}
