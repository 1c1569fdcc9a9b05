import type { PricedLineItem } from '#contract/money/estimate.ts';
import { MICRO_PER_USD, formatDecimal, formatUsd, parseUsd } from '#contract/money/money.ts';

const toMillionths = (quantity: string): bigint => parseUsd(quantity);

export function mergeLineItems(lines: readonly PricedLineItem[]): PricedLineItem[] {
  const merged = new Map<string, PricedLineItem>();
  for (const line of lines) {
    const key = JSON.stringify([line.description, line.unit, line.unit_price_usd]);
    const existing = merged.get(key);
    merged.set(key, existing ? addLineItems(existing, line) : line);
  }
  return [...merged.values()];
}

const addLineItems = (a: PricedLineItem, b: PricedLineItem): PricedLineItem => ({
  ...a,
  quantity: formatDecimal(toMillionths(a.quantity) + toMillionths(b.quantity)),
  amount_usd: formatUsd(parseUsd(a.amount_usd) + parseUsd(b.amount_usd)),
});

export function singleLineItem(description: string, amountMicroUsd: bigint): PricedLineItem {
  const amountUsd = formatUsd(amountMicroUsd);
  return {
    description,
    quantity: formatDecimal(MICRO_PER_USD),
    unit: 'operation',
    unit_price_usd: amountUsd,
    amount_usd: amountUsd,
  };
}
