import type { Statement } from '#contract/resources/audit.ts';

type StatementPriceBook = Statement['prices'][number];
export type StatementPrice = StatementPriceBook['data'][number];

/** A price that differs between two price books; null on the side that does not have it. */
interface PriceChange {
  before: StatementPrice | null;
  after: StatementPrice | null;
}

const priceKey = ({ task, model }: StatementPrice) => `${task} ${model ?? ''}`;
const priceTerms = ({ unit, unit_price_usd, minimum_usd, multipliers }: StatementPrice) =>
  JSON.stringify([unit, unit_price_usd, minimum_usd, multipliers]);

/** Lists the prices that differ between two books, in the order of the later one, removed ones last. */
export function priceChanges(before: StatementPriceBook, after: StatementPriceBook): PriceChange[] {
  const earlier = new Map(before.data.map((row) => [priceKey(row), row]));
  const later = new Set(after.data.map(priceKey));
  const changed = after.data
    .map((row) => ({ before: earlier.get(priceKey(row)) ?? null, after: row }))
    .filter((change) => change.before === null || priceTerms(change.before) !== priceTerms(change.after));
  const removed = before.data.filter((row) => !later.has(priceKey(row))).map((row) => ({ before: row, after: null }));
  return [...changed, ...removed];
}
