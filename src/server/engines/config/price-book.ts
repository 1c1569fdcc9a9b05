import { inputContract } from '#contract/catalog.ts';
import { parseUsd } from '#contract/money.ts';
import { listPricedOptions } from '#contract/multipliers.ts';
import { parseMultipliers } from '#contract/price-wire-format.ts';
import { type Price, type PriceBook, PRICES, findPrice } from '#contract/pricing.ts';
import type { PriceEntry } from './engines-schema.ts';
import type { ValidationProblem } from '#server/core/validation-problems.ts';

/** The published prices with the operator's in their place, and what is wrong with those. Decision: Prices */
export function buildPriceBook(entries: readonly PriceEntry[]): { prices: PriceBook; problems: ValidationProblem[] } {
  const changed = new Map<Price, Price>();
  const problems = entries.flatMap((entry, index) => {
    const row = findPrice(PRICES, entry.task, entry.model);
    const at = (part: string, message: string): ValidationProblem => ({
      path: ['prices', index, part].join('.'),
      message,
    });
    if (!row && entry.model === null)
      return [at('model', `is missing: each model has a price of its own for ${entry.task}`)];
    if (!row) return [at('model', `is ${entry.model}, which does not run ${entry.task}`)];
    if (changed.has(row)) return [at('task', 'has a price further up already')];
    const price = {
      ...row,
      ...(entry.unit_price_usd === undefined ? {} : { unit_price_micro_usd: parseUsd(entry.unit_price_usd) }),
      ...(entry.minimum_usd === undefined ? {} : { minimum_micro_usd: parseUsd(entry.minimum_usd) }),
      ...(entry.multipliers ? { multipliers: parseMultipliers(entry.multipliers) } : {}),
    };
    changed.set(row, price);
    return [...minimumProblem(entry, price, at), ...multiplierProblems(entry, at)];
  });
  return { prices: PRICES.map((row) => changed.get(row) ?? row), problems };
}

type ProblemAt = (part: string, message: string) => ValidationProblem;

/** A unit price that a minimum of before would always lift is a slip. */
function minimumProblem(
  { unit_price_usd, minimum_usd, multipliers }: PriceEntry,
  price: Price,
  at: ProblemAt,
): ValidationProblem[] {
  const one_of_it = price.unit === 'image' || price.unit === 'generation';
  const hidden = one_of_it && price.minimum_micro_usd > price.unit_price_micro_usd && !multipliers;
  return unit_price_usd !== undefined && minimum_usd === undefined && hidden
    ? [at('unit_price_usd', 'is below the published minimum, which would still apply: give “minimum_usd” too')]
    : [];
}

function multiplierProblems({ task, model, multipliers = {} }: PriceEntry, at: ProblemAt): ValidationProblem[] {
  const fields = inputContract(task, model)?.fields ?? [];
  return Object.entries(multipliers).flatMap(([name, by_option]) => {
    const field = fields.find((each) => each.name === name);
    const options = field ? listPricedOptions(field) : [];
    if (options.length === 0) {
      const able = fields.filter((each) => listPricedOptions(each).length > 0).map((each) => each.name);
      return [at(`multipliers.${name}`, `is no choice of ${task}; these are: ${able.join(', ') || 'none'}`)];
    }
    return Object.keys(by_option)
      .filter((option) => !options.includes(option))
      .map((option) =>
        at(`multipliers.${name}.${option}`, `is not among the options that have a price: ${options.join(', ')}`),
      );
  });
}
