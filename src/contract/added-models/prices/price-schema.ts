import * as z from 'zod/mini';
import { MAX_RUN_MICRO_USD } from '#contract/money/money.ts';

const ADDED_PRICE_UNITS = ['image', 'second', 'megapixel', '1000_characters', 'token', 'run'] as const;
export type AddedPriceUnit = (typeof ADDED_PRICE_UNITS)[number];

const MAX_MICRO_USD = Number(MAX_RUN_MICRO_USD);
const MAX_QUANTITY = 1_000_000_000;
const MAX_MULTIPLIER = 1_000_000_000;

const TIME_UNITS = ['milliseconds', 'seconds', 'minutes', 'hours'] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

const fieldName = () => z.string().check(z.minLength(1), z.maxLength(64));
const microUsd = () => z.int().check(z.gte(0), z.lte(MAX_MICRO_USD));
const largest = () => z.nullable(z.number().check(z.gt(0), z.lte(MAX_QUANTITY)));
const scalar = () => z.union([z.string().check(z.maxLength(300)), z.number(), z.boolean(), z.null()]);
const countOf = () =>
  z.union([
    z.strictObject({ field: fieldName() }),
    z.strictObject({ count: z.number().check(z.gt(0), z.lte(MAX_QUANTITY)) }),
  ]);

/** What counts, in the unit of the price. `largest`: the most of it where the form sets no bound. */
export const PriceQuantity = z.discriminatedUnion('from', [
  /** One per output. */
  z.strictObject({ from: z.literal('one') }),
  /** A number, or a choice that starts with one: `5`, `"10"`, `"8s"`. */
  z.strictObject({
    from: z.literal('field'),
    field: fieldName(),
    largest: largest(),
    /** Of a price per second, the unit of the field; by default, seconds. */
    measured_in: z.optional(z.enum(TIME_UNITS)),
  }),
  z.strictObject({
    from: z.literal('text'),
    fields: z.array(fieldName()).check(z.minLength(1), z.maxLength(10)),
    largest: largest(),
  }),
  z.strictObject({ from: z.literal('size'), field: fieldName(), largest: largest() }),
  /** The file of a field: its seconds or megapixels. */
  z.strictObject({ from: z.literal('media'), field: fieldName(), largest: largest() }),
  /** Known afterwards: what the provider reports, or the outputs themselves. */
  z.strictObject({ from: z.literal('result'), largest: largest() }),
]);
export type PriceQuantity = z.infer<typeof PriceQuantity>;

const PriceCondition = z.union([
  z.strictObject({ field: fieldName(), in: z.array(scalar()).check(z.minLength(1), z.maxLength(100)) }),
  z.strictObject({ field: fieldName(), present: z.boolean() }),
  z.strictObject({ field: fieldName(), at_least: z.number() }),
]);
export type PriceCondition = z.infer<typeof PriceCondition>;

/**
 * Multiplies the price while all conditions hold. Of the tiers that ask for the same fields, the first one that holds
 * applies; those of other fields multiply with it.
 */
const PriceTier = z.strictObject({
  when: z.array(PriceCondition).check(z.minLength(1), z.maxLength(4)),
  /** In millionths. */
  multiplier: z.int().check(z.gte(0), z.lte(MAX_MULTIPLIER)),
});
export type PriceTier = z.infer<typeof PriceTier>;

/** The price of an added model: data, no formula. Amounts are whole micro-dollars. */
export const AddedPrice = z.strictObject({
  unit: z.enum(ADDED_PRICE_UNITS),
  unit_price_micro_usd: microUsd(),
  /** Units that the unit price pays for: a token costs less than a micro-dollar. */
  per: z.union([z.literal(1), z.literal(1_000), z.literal(1_000_000)]),
  quantity: PriceQuantity,
  /** Outputs of an input; each has the quantity. */
  outputs: countOf(),
  /** `up`: each output counts as whole units. */
  rounding: z.enum(['exact', 'up']),
  minimum_micro_usd: microUsd(),
  /** The most that is charged; bounds what nothing else does. */
  cap_micro_usd: z.nullable(microUsd()),
  tiers: z.array(PriceTier).check(z.maxLength(100)),
});
export type AddedPrice = z.infer<typeof AddedPrice>;
