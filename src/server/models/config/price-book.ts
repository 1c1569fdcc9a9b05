import { inputContract } from '#contract/catalog.ts';
import { parseUsd } from '#contract/money.ts';
import { listPricedOptions } from '#contract/multipliers.ts';
import { findPrice, parseMultipliers, type Price, type PriceBook, PRICES } from '#contract/pricing.ts';
import type { PriceEntry } from './engines-schema.ts';
import type { ValidationProblem } from '#server/platform/core/validation-problems.ts';

/** Replaces published prices with the operator's. Decision: Prices */
export function buildPriceBook(entries: readonly PriceEntry[]): { prices: PriceBook; problems: ValidationProblem[] } {
  const overrides = new Map<Price, Price>();
  const problems = entries.flatMap((entry, index) => {
    const row = findPrice(PRICES, entry.task, entry.model);
    const problemAt = (property: string, message: string): ValidationProblem => ({
      path: ['prices', index, property].join('.'),
      message,
    });
    if (!row && entry.model === null)
      return [problemAt('model', `is missing: each model has its own price for ${entry.task}`)];
    if (!row) return [problemAt('model', `is ${entry.model}, which does not run ${entry.task}`)];
    if (overrides.has(row)) return [problemAt('task', 'already has a price above')];
    const price = {
      ...row,
      ...(entry.unit_price_usd === undefined ? {} : { unit_price_micro_usd: parseUsd(entry.unit_price_usd) }),
      ...(entry.minimum_usd === undefined ? {} : { minimum_micro_usd: parseUsd(entry.minimum_usd) }),
      ...(entry.multipliers ? { multipliers: parseMultipliers(entry.multipliers) } : {}),
    };
    overrides.set(row, price);
    return [...minimumProblem(entry, price, problemAt), ...multiplierProblems(entry, problemAt)];
  });
  return { prices: PRICES.map((row) => overrides.get(row) ?? row), problems };
}

type ProblemAt = (property: string, message: string) => ValidationProblem;

/** A unit price below the published minimum would never apply, so it is probably a mistake. */
function minimumProblem(
  { unit_price_usd, minimum_usd, multipliers }: PriceEntry,
  price: Price,
  problemAt: ProblemAt,
): ValidationProblem[] {
  const is_per_item = price.unit === 'image' || price.unit === 'generation';
  const hidden = is_per_item && price.minimum_micro_usd > price.unit_price_micro_usd && !multipliers;
  return unit_price_usd !== undefined && minimum_usd === undefined && hidden
    ? [problemAt('unit_price_usd', 'is below the published minimum, which would still apply: set “minimum_usd” too')]
    : [];
}

function multiplierProblems({ task, model, multipliers = {} }: PriceEntry, problemAt: ProblemAt): ValidationProblem[] {
  const fields = inputContract(task, model)?.fields ?? [];
  return Object.entries(multipliers).flatMap(([name, by_option]) => {
    const field = fields.find((candidate) => candidate.name === name);
    const options = field ? listPricedOptions(field) : [];
    if (options.length === 0) {
      const priced_fields = fields
        .filter((candidate) => listPricedOptions(candidate).length > 0)
        .map((candidate) => candidate.name);
      return [
        problemAt(
          `multipliers.${name}`,
          `is not an option of ${task}; the options are: ${priced_fields.join(', ') || 'none'}`,
        ),
      ];
    }
    return Object.keys(by_option)
      .filter((option) => !options.includes(option))
      .map((option) =>
        problemAt(`multipliers.${name}.${option}`, `is not among the priced options: ${options.join(', ')}`),
      );
  });
}
