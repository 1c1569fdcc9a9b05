import { formatDecimal } from './money.ts';
import { property } from '#contract/json-value.ts';
import type { Multipliers } from './pricing.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';

/** An exact fraction, so that rounding happens once, at the end. */
export interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** Options that leave the choice to the model. */
const MODEL_CHOSEN_OPTIONS = new Set(['auto', 'adaptive']);
const MILLIONTHS_PER_UNIT = 1_000_000n;

/** Returns the options of a field that can have a multiplier, as keys of a price; empty for other kinds of fields. */
export function listPricedOptions(field: FieldSpec): string[] {
  if (field.kind === 'boolean') return ['true', 'false'];
  return field.kind === 'choice' ? field.options.map(String).filter((option) => !MODEL_CHOSEN_OPTIONS.has(option)) : [];
}

const scaleFraction = (factor: Fraction, millionths: bigint): Fraction => ({
  numerator: factor.numerator * millionths,
  denominator: factor.denominator * MILLIONTHS_PER_UNIT,
});
const selectExtreme = (values: readonly bigint[], wins: (a: bigint, b: bigint) => boolean): bigint =>
  values.reduce((best, value) => (wins(value, best) ? value : best), values[0] ?? MILLIONTHS_PER_UNIT);

/**
 * Calculates the factor that an input applies to a unit price. Where the input leaves an option to the model, `highest`
 * assumes the most expensive option and `lowest` the cheapest. Decision: Prices
 * @param used options that the model chose, if known
 * @returns `words`: the multipliers that apply, for the line item: `Quality High × 2.5`
 */
export function computeMultiplier(
  multipliers: Multipliers,
  contract: InputContract,
  input: Readonly<Record<string, unknown>>,
  used: Readonly<Record<string, unknown>>,
): { highest: Fraction; lowest: Fraction; words: string[] } {
  let highest: Fraction = { numerator: 1n, denominator: 1n };
  let lowest = highest;
  const words: string[] = [];
  for (const field of contract.fields) {
    const byOption = Object.hasOwn(multipliers, field.name) ? multipliers[field.name] : undefined;
    if (!byOption) continue;
    const options = listPricedOptions(field);
    const value = String(property(input, field.name));
    const chosen = MODEL_CHOSEN_OPTIONS.has(value) ? String(property(used, field.name)) : value;
    const open = MODEL_CHOSEN_OPTIONS.has(value) && !options.includes(chosen);
    const values = open
      ? options.map((option) => byOption[option] ?? MILLIONTHS_PER_UNIT)
      : [byOption[chosen] ?? MILLIONTHS_PER_UNIT];
    const most = selectExtreme(values, (a, b) => a > b);
    highest = scaleFraction(highest, most);
    lowest = scaleFraction(
      lowest,
      selectExtreme(values, (a, b) => a < b),
    );
    if (most !== MILLIONTHS_PER_UNIT)
      words.push(`${field.label} ${open ? 'at most' : optionLabel(field, chosen)} × ${formatDecimal(most)}`);
  }
  return { highest, lowest, words };
}

function optionLabel(field: FieldSpec, option: string): string {
  if (field.kind === 'boolean') return option === 'true' ? 'on' : 'off';
  return (field.kind === 'choice' && field.option_labels?.[option]) || option;
}

/** Formats multipliers by option: "Quality: High × 2.5, Max × 6". */
export function formatMultipliers(
  multipliers: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined,
  contract: InputContract | undefined,
): string[] {
  return (contract?.fields ?? []).flatMap((field) => {
    const factors = multipliers?.[field.name] ?? {};
    // A database may have changed their order.
    const options = listPricedOptions(field).filter((option) => Object.hasOwn(factors, option));
    if (options.length === 0) return [];
    const texts = options.map((option) => `${optionLabel(field, option)}\u00a0×\u00a0${Number(factors[option])}`);
    return [`${field.label}: ${texts.join(', ')}`];
  });
}
