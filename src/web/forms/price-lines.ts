import { isModelId, isTaskId, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { Estimate, PricedLineItem } from '#contract/estimate.ts';
import { formatUsd, parseUsd } from '#contract/money.ts';
import type { PriceUnit } from '#contract/pricing.ts';
import { formatMoney } from '#web/ui/money.tsx';

export interface PriceLine {
  what: string;
  /** "8 seconds × $0.0575", and with options that are multiplied "1 image × $0.015 × 13" */
  how: string;
  amount_usd: string;
}

/** How the service names the line that lifts an amount to its minimum. Decision: Line items */
export const MINIMUM_CHARGE = 'Minimum charge';
/** End of the description where a length is unknown: the quantity is what the minimum pays for. */
const UNKNOWN_LENGTH = ' · minimum';

const UNIT_NOUNS: Readonly<Record<string, [one: string, many: string]>> = {
  image: ['image', 'images'],
  second: ['second', 'seconds'],
  minute: ['minute', 'minutes'],
  generation: ['video', 'videos'],
  operation: ['run', 'runs'],
};

/** Units of which an order has exactly one, so that a minimum above the unit price is the price. */
const SINGLE_UNITS: ReadonlySet<PriceUnit> = new Set(['image', 'generation', 'operation']);

/** Whether the minimum of a price replaces its unit price in every order. */
export const isPricedByMinimum = ({ unit, multipliers }: { unit: PriceUnit; multipliers?: unknown }): boolean =>
  SINGLE_UNITS.has(unit) && !multipliers;

/** What a unit price is counted in. */
export const PER_UNIT_LABELS = {
  image: 'per image',
  second: 'per second',
  minute: 'per minute',
  generation: 'per video',
  operation: 'per run',
} satisfies Record<PriceUnit, string>;

/** A line begins with a model or a task; what its price is multiplied by follows. */
function lineItemName(description: string): string {
  const [id = '', ...multipliers] = description.split(' · ');
  const name = isModelId(id) ? MODEL_NAMES[id] : isTaskId(id) ? TASKS[id].name : id;
  return [name, ...multipliers].join(' · ');
}

/** The unit price as the price list has it, times what the chosen options multiply it by, where that comes out even. */
function formatUnitPrice(description: string, unit_price_usd: string): string {
  const factors = description.split(' · ').flatMap((part) => / × ([\d.]+)$/.exec(part)?.[1] ?? []);
  const product = factors.reduce((all, factor) => all * Number(factor), 1);
  const unit_micro_usd = parseUsd(unit_price_usd);
  const base_micro_usd = product > 0 ? Math.round(Number(unit_micro_usd) / product) : 0;
  const is_even = factors.length > 0 && BigInt(Math.round(base_micro_usd * product)) === unit_micro_usd;
  if (!is_even) return formatMoney(unit_price_usd);
  return [formatMoney(formatUsd(BigInt(base_micro_usd))), ...factors].join(' × ');
}

/** Text for a button, in cents that no charge exceeds: "$0.35", "at most $2.55", "Free". */
export function priceLabel({ amount_usd, basis }: { amount_usd: string; basis: Estimate['basis'] }): string {
  const money = formatMoney(amount_usd, { cents: 'up' });
  if (basis === 'upper_bound') return `at most ${money}`;
  if (basis === 'lower_bound') return `from ${money}`;
  return Number(amount_usd) === 0 ? 'Free' : money;
}

/** The line items as a bill: what, how it is reckoned, how much. */
export const priceLines = ({ line_items }: { line_items: readonly PricedLineItem[] }): PriceLine[] =>
  line_items.map(({ description, quantity, unit, unit_price_usd, amount_usd }) => {
    const [one, many] = UNIT_NOUNS[unit] ?? [unit, unit];
    const tops_up = description === MINIMUM_CHARGE;
    if (description.endsWith(UNKNOWN_LENGTH)) {
      const what = lineItemName(description);
      return { what, how: `at least, at ${formatMoney(unit_price_usd)} per ${one}`, amount_usd };
    }
    return {
      what: tops_up ? MINIMUM_CHARGE : lineItemName(description),
      how: tops_up
        ? ''
        : `${quantity} ${quantity === '1' ? one : many} × ${formatUnitPrice(description, unit_price_usd)}`,
      amount_usd,
    };
  });
