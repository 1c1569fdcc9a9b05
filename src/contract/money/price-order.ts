import { type AddedQuote, quote, upperBound } from '#contract/added-models/prices/price.ts';
import { isModelId } from '#contract/catalog.ts';
import { estimate, type Estimate, type MeasuredFile, type PriceFacts } from './estimate.ts';
import type { Json } from '#contract/json-value.ts';
import { findAddedVersion, type ModelCatalog, type ModelRef, type OfferedVersion } from '#contract/model-catalog.ts';

/** What is known of an order beside its input. */
export interface OrderFacts extends PriceFacts {
  /** Of added models: units that the provider bills for the whole run. */
  units?: number | undefined;
  /** Of added models: files of the result. */
  outputs?: readonly MeasuredFile[] | undefined;
}

/**
 * Prices an input. Pure: browser and service get the same result.
 * @param input validated by `parseInput`, with defaults
 * @throws {RangeError} if the task does not run on the model
 */
export function priceOrder(catalog: ModelCatalog, ref: ModelRef, input: Json, facts: OrderFacts = {}): Estimate {
  if (ref.model === null || isModelId(ref.model)) return estimate(catalog.prices, ref.task, ref.model, input, facts);
  const version = findAddedVersion(catalog, ref);
  const quoted = version && quoteVersion(version, input, facts);
  if (!quoted) throw new RangeError(`No price for ${ref.task} on ${ref.model}`);
  return quoted;
}

/** Returns null if nothing bounds the price. */
export const quoteVersion = (
  version: Pick<OfferedVersion, 'name' | 'contract' | 'price'>,
  input: Json,
  { files, units, outputs }: OrderFacts = {},
): AddedQuote | null =>
  quote(version, input, {
    ...(files ? { media: files } : {}),
    ...(units === undefined ? {} : { units }),
    ...(outputs ? { outputs } : {}),
  });

/** The most that any input of a version costs. */
export const boundOf = (version: Pick<OfferedVersion, 'name' | 'contract' | 'price'>): bigint =>
  upperBound(version)?.amount_micro_usd ?? 0n;
