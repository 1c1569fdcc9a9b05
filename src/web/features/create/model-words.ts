import type { ModelId, TaskId } from '#contract/ids.ts';
import { formatUsd } from '#contract/money.ts';
import { priceOf } from '#contract/pricing.ts';
import { PER_UNIT } from '#web/forms/price-lines.ts';
import { formatMoney } from '#web/ui/money.tsx';

/** "$0.0575 per second" and "at least $0.345"; "Free" and nothing. */
export function unitPriceWords(task: TaskId, model: ModelId | null): { price: string; least: string | null } {
  const row = priceOf(task, model);
  if (!row) return { price: '', least: null };
  const { unit, unit_price_micro_usd, minimum_micro_usd } = row;
  const money = (micro_usd: bigint) => formatMoney(formatUsd(micro_usd));
  if (unit_price_micro_usd === 0n) return { price: 'Free', least: null };
  return {
    price: `${money(unit_price_micro_usd)} ${PER_UNIT[unit]}`,
    least: minimum_micro_usd > unit_price_micro_usd ? `at least ${money(minimum_micro_usd)}` : null,
  };
}
