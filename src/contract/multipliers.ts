import { formatDecimal } from './money.ts';
import type { Multipliers } from './pricing.ts';
import type { Field, InputContract } from './task.ts';

/** A number as a fraction, so that nothing is rounded before the end. */
export interface Factor {
  numerator: bigint;
  denominator: bigint;
}

/** Options that leave the choice to the model. */
const LEFT_TO_MODEL = new Set(['auto', 'adaptive']);
const ONE = 1_000_000n;

/** The options of a field that can carry a multiplier, as they stand in a price; empty where none can. */
export function pricedOptions(field: Field): string[] {
  if (field.kind === 'boolean') return ['true', 'false'];
  return field.kind === 'choice' ? field.options.map(String).filter((option) => !LEFT_TO_MODEL.has(option)) : [];
}

const times = (factor: Factor, millionths: bigint): Factor => ({
  numerator: factor.numerator * millionths,
  denominator: factor.denominator * ONE,
});
const extreme = (values: readonly bigint[], wins: (a: bigint, b: bigint) => boolean): bigint =>
  values.reduce((best, value) => (wins(value, best) ? value : best), values[0] ?? ONE);

/**
 * What an input multiplies a unit price by. Where it leaves the choice to the model, the highest counts, and `lowest` says
 * how little it may be. Decision: Prices
 * @param used what the model chose, where that is known
 * @returns `words`: the multipliers that count, for a line of the bill: `Quality High × 2.5`
 */
export function factorOf(
  multipliers: Multipliers,
  contract: InputContract,
  input: Readonly<Record<string, unknown>>,
  used: Readonly<Record<string, unknown>>,
): { highest: Factor; lowest: Factor; words: string[] } {
  let highest: Factor = { numerator: 1n, denominator: 1n };
  let lowest = highest;
  const words: string[] = [];
  for (const field of contract.fields) {
    const by_option = multipliers[field.name];
    if (!by_option) continue;
    const options = pricedOptions(field);
    const given = String(input[field.name]);
    const chosen = LEFT_TO_MODEL.has(given) ? String(used[field.name]) : given;
    const open = LEFT_TO_MODEL.has(given) && !options.includes(chosen);
    const values = open ? options.map((option) => by_option[option] ?? ONE) : [by_option[chosen] ?? ONE];
    const most = extreme(values, (a, b) => a > b);
    highest = times(highest, most);
    lowest = times(
      lowest,
      extreme(values, (a, b) => a < b),
    );
    if (most !== ONE)
      words.push(`${field.label} ${open ? 'at most' : optionWords(field, chosen)} × ${formatDecimal(most)}`);
  }
  return { highest, lowest, words };
}

function optionWords(field: Field, option: string): string {
  if (field.kind === 'boolean') return option === 'true' ? 'on' : 'off';
  return (field.kind === 'choice' && field.option_labels?.[option]) || option;
}
