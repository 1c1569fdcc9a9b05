import { isModelId, isTaskId, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { Estimate, PricedLineItem } from '#contract/estimate.ts';
import { formatUsd, parseUsd } from '#contract/money.ts';
import type { PriceUnit } from '#contract/pricing.ts';
import { formatMoney } from '#web/ui/money.tsx';

export interface PriceLine {
  label: string;
  /** "8 seconds × $0.0575"; with multipliers "1 image × $0.015 × 13". */
  formula: string;
  amount_usd: string;
}

/** The service's description of the minimum charge. Decision: Line items */
export const MINIMUM_CHARGE = 'Minimum charge';
/** Suffix of a line whose duration is unknown: its quantity is covered by the minimum. */
const UNKNOWN_LENGTH = ' · minimum';

const UNIT_NOUNS: Readonly<Record<string, [one: string, many: string]>> = {
  image: ['image', 'images'],
  second: ['second', 'seconds'],
  minute: ['minute', 'minutes'],
  generation: ['video', 'videos'],
  operation: ['run', 'runs'],
};

/** A request has exactly one of these units, so a minimum above the unit price is the price. */
const SINGLE_UNITS: ReadonlySet<PriceUnit> = new Set(['image', 'generation', 'operation']);

export const isPricedByMinimum = ({ unit, multipliers }: { unit: PriceUnit; multipliers?: unknown }): boolean =>
  SINGLE_UNITS.has(unit) && !multipliers;

export const PER_UNIT_LABELS = {
  image: 'per image',
  second: 'per second',
  minute: 'per minute',
  generation: 'per video',
  operation: 'per run',
} satisfies Record<PriceUnit, string>;

function lineItemName(description: string): string {
  const [id = '', ...multipliers] = description.split(' · ');
  const name = isModelId(id) ? MODEL_NAMES[id] : isTaskId(id) ? TASKS[id].name : id;
  return [name, ...multipliers].join(' · ');
}

/** Splits the unit price into the price of the list and its multipliers, if the division is exact. */
function formatUnitPrice(description: string, unit_price_usd: string): string {
  const factors = description.split(' · ').flatMap((part) => / × ([\d.]+)$/.exec(part)?.[1] ?? []);
  const product = factors.reduce((all, factor) => all * Number(factor), 1);
  const unit_micro_usd = parseUsd(unit_price_usd);
  const base_micro_usd = product > 0 ? Math.round(Number(unit_micro_usd) / product) : 0;
  const is_even = factors.length > 0 && BigInt(Math.round(base_micro_usd * product)) === unit_micro_usd;
  if (!is_even) return formatMoney(unit_price_usd);
  return [formatMoney(formatUsd(BigInt(base_micro_usd))), ...factors].join(' × ');
}

/** Rounds up: "$0.35", "at most $2.55", "Free". */
export function priceLabel({ amount_usd, basis }: { amount_usd: string; basis: Estimate['basis'] }): string {
  const money = formatMoney(amount_usd, { cents: 'up' });
  if (basis === 'upper_bound') return `at most ${money}`;
  if (basis === 'lower_bound') return `from ${money}`;
  return Number(amount_usd) === 0 ? 'Free' : money;
}

export const priceLines = ({ line_items }: { line_items: readonly PricedLineItem[] }): PriceLine[] =>
  line_items.map(({ description, quantity, unit, unit_price_usd, amount_usd }) => {
    const [one, many] = UNIT_NOUNS[unit] ?? [unit, unit];
    if (description === MINIMUM_CHARGE) return { label: MINIMUM_CHARGE, formula: '', amount_usd };
    const label = lineItemName(description);
    if (description.endsWith(UNKNOWN_LENGTH))
      return { label, formula: `at least, at ${formatMoney(unit_price_usd)} per ${one}`, amount_usd };
    const unitPrice = formatUnitPrice(description, unit_price_usd);
    return { label, formula: `${quantity} ${quantity === '1' ? one : many} × ${unitPrice}`, amount_usd };
  });
