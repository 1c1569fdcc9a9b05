import type { LineItem } from '#contract/estimate.ts';
import { MICRO_PER_USD, formatDecimal, formatUsd, parseUsd } from '#contract/money.ts';

const millionths = (quantity: string): bigint => parseUsd(quantity);

/** One line for all that are alike but for their quantity. Their sum stays the same. */
export function mergeLines(lines: readonly LineItem[]): LineItem[] {
  const merged = new Map<string, LineItem>();
  for (const line of lines) {
    const key = JSON.stringify([line.description, line.unit, line.unit_price_usd]);
    const there = merged.get(key);
    merged.set(key, there ? added(there, line) : line);
  }
  return [...merged.values()];
}

const added = (a: LineItem, b: LineItem): LineItem => ({
  ...a,
  quantity: formatDecimal(millionths(a.quantity) + millionths(b.quantity)),
  amount_usd: formatUsd(parseUsd(a.amount_usd) + parseUsd(b.amount_usd)),
});

/** One of something at a price. */
export function oneLine(description: string, amount_micro_usd: bigint): LineItem {
  const amount_usd = formatUsd(amount_micro_usd);
  return {
    description,
    quantity: formatDecimal(MICRO_PER_USD),
    unit: 'operation',
    unit_price_usd: amount_usd,
    amount_usd,
  };
}
