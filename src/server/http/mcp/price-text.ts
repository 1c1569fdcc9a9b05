import { formatMoney } from '#contract/money.ts';
import { presentPrices, type PriceBook } from '#contract/pricing.ts';
import type { TaskId } from '#contract/ids.ts';

type PriceRow = ReturnType<typeof presentPrices>[number];

/** Describes what a task costs, one line per model, from the prices in force. */
export function describePrices(prices: PriceBook, task: TaskId, models: readonly string[]): string[] {
  return presentPrices(prices)
    .filter((row) => row.task === task && (row.model === null || models.includes(row.model)))
    .map((row) => (row.model === null ? `Price: ${describePrice(row)}` : `- ${row.model}: ${describePrice(row)}`));
}

function describePrice({ unit, unit_price_usd, minimum_usd, note, multipliers = {} }: PriceRow): string {
  if (unit_price_usd === '0.00' && minimum_usd === '0.00') return 'free';
  const minimum =
    minimum_usd === '0.00' || minimum_usd === unit_price_usd ? '' : `, at least ${formatMoney(minimum_usd)}`;
  const factors = Object.entries(multipliers).flatMap(([field, options]) =>
    Object.entries(options).map(([option, factor]) => `, × ${factor} for ${field} ${option}`),
  );
  return [`${formatMoney(unit_price_usd)} per ${unit}${minimum}${factors.join('')}`, note].filter(Boolean).join('. ');
}
