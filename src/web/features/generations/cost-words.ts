import { isModelId, isTaskId, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import { formatMoney } from '#web/ui/money.tsx';

/** As it comes over the wire. */
export interface LineItem {
  description: string;
  quantity: string;
  unit: string;
  unit_price_usd: string;
  amount_usd: string;
}

const PLURALS: Readonly<Record<string, string>> = {
  image: 'images',
  second: 'seconds',
  minute: 'minutes',
  generation: 'generations',
  operation: 'operations',
};

/** What a line is for: the model's or task's name, or the service's own words. */
export function lineName({ description }: LineItem): string {
  if (isModelId(description)) return MODEL_NAMES[description];
  return isTaskId(description) ? TASKS[description].name : description;
}

/** How a line comes to its amount: "8 seconds × $0.0575". */
export function lineArithmetic({ description, quantity, unit, unit_price_usd }: LineItem): string {
  if (description === 'Minimum charge') return 'Brings the price up to the minimum';
  const words = quantity === '1' ? unit : (PLURALS[unit] ?? unit);
  return `${quantity} ${words} × ${formatMoney(unit_price_usd)}`;
}
