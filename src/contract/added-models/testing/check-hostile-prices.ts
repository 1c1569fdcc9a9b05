import * as fc from 'fast-check';
import { expect } from 'vitest';
import { type Json, property } from '#contract/json-value.ts';
import { MAX_RUN_MICRO_USD, parseUsd, USD_PATTERN } from '#contract/money/money.ts';
import { parseInput } from '#contract/parse-input.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import { quantityBounds } from '#contract/added-models/prices/price-quantity.ts';
import { priceObstacle, quote, upperBound } from '#contract/added-models/prices/price.ts';
import { AddedPrice } from '#contract/added-models/prices/price-schema.ts';
import { RUN_PRICE } from './run-price.ts';

const base = (name: string) => ({ name, label: name, group: 'shape' }) as const;
const own = { kind: 'choice', own_max_length: 400, nullable: true, default: null } as const;
const unbounded = { min: null, max: null, nullable: true, default: null } as const;
const FIELDS: readonly FieldSpec[] = [
  { ...base('duration'), ...own, options: ['5', '10', 'auto'] },
  { ...base('length'), ...own, options: ['8s', '10 seconds (HD)', '0'] },
  { ...base('seconds'), kind: 'number', ...unbounded },
  { ...base('count'), kind: 'integer', ...unbounded },
  { ...base('frames'), kind: 'integer', min: 1, max: 240, nullable: true, default: null },
  { ...base('size'), ...own, options: ['square_hd', '512x512'] },
  { ...base('text'), kind: 'text', nullable: true, default: null, min_length: 1, max_length: 400, multiline: true },
  { ...base('toString'), kind: 'number', ...unbounded },
];
const NAMES = FIELDS.map(({ name }) => name);

export const HOSTILE_TEXTS = [
  '00:10',
  '0x0A',
  '0s10',
  '1e-9',
  '1e3',
  '1.7e308',
  'Infinity',
  '-Infinity',
  'NaN',
  '-5',
  '+5',
  '010',
  '0',
  '0.0',
  '.5',
  '5.',
  '5,5',
  '１０',
  '٣',
  '10⁠',
  ' 10',
  '10 ',
  '\t10',
  '10\n',
  '10 minutes',
  '1 hour',
  'PT10S',
  '9007199254740993',
  '9'.repeat(300),
  '1x1',
  '99999x99999',
  '0x0',
  '4 096x4096',
  'toString',
  '__proto__',
] as const;
const HOSTILE_NUMBERS = [
  0,
  -0,
  1e-300,
  1e-9,
  -5,
  0.5,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53 + 2,
  2 ** 63,
  1e21,
  1e300,
  1.7e308,
];
const NO_NUMBERS = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

const number = fc.oneof(fc.constantFrom(...HOSTILE_NUMBERS), fc.double({ noNaN: true }), fc.integer());
const text = fc.oneof(
  fc.constantFrom<string[]>(...HOSTILE_TEXTS),
  fc.constantFrom('5', '10', '7s', '7.5 seconds', '8s', 'square_hd', '640x480', 'auto'),
  fc.string({ minLength: 1, maxLength: 40 }),
);
const values = (field: FieldSpec) => (field.kind === 'choice' || field.kind === 'text' ? text : number);
const input = fc.record(
  Object.fromEntries(
    FIELDS.map((each) => [
      each.name,
      fc.oneof({ weight: 4, arbitrary: values(each) }, { weight: 1, arbitrary: fc.constant(null) }),
    ]),
  ),
  { requiredKeys: [] },
);
const field = fc.constantFrom(...NAMES);
const largest = fc.option(fc.oneof(fc.constantFrom(0.25, 1, 10, 1e9), fc.double({ min: 1e-6, max: 1e9, noNaN: true })));
const amount = fc.oneof(fc.constantFrom(0, 1, 1_000_000, 1_000_000_000_000), fc.nat(10_000_000));
const price = fc.record({
  unit: fc.constantFrom('image', 'second', 'megapixel', '1000_characters', 'token', 'run'),
  unit_price_micro_usd: amount,
  per: fc.constantFrom(1, 1_000, 1_000_000),
  quantity: fc.oneof(
    fc.constant({ from: 'one' }),
    fc.record({ from: fc.constantFrom('field', 'size', 'media'), field, largest }),
    fc.record({ from: fc.constant('text'), fields: fc.array(field, { minLength: 1, maxLength: 3 }), largest }),
    fc.record({ from: fc.constant('result'), largest }),
  ),
  outputs: fc.oneof(fc.record({ field }), fc.record({ count: fc.constantFrom(1, 3, 1e9) })),
  rounding: fc.constantFrom('exact', 'up'),
  minimum_micro_usd: fc.constantFrom(0, 250_000),
  cap_micro_usd: fc.option(amount),
  tiers: fc.array(
    fc.record({
      when: fc.array(
        fc.oneof(
          fc.record({ field, at_least: number }),
          fc.record({ field, in: fc.array(text, { minLength: 1, maxLength: 3 }) }),
          fc.record({ field, present: fc.boolean() }),
        ),
        { minLength: 1, maxLength: 2 },
      ),
      multiplier: fc.constantFrom(1, 333_333, 2_500_000, 1_000_000_000),
    }),
    { maxLength: 4 },
  ),
});
const measure = fc.oneof(number, fc.constantFrom(...NO_NUMBERS));
const file = fc.record({ seconds: measure, width: measure, height: measure });
const bill = fc.record({ units: measure, outputs: fc.array(file, { maxLength: 3 }) }, { requiredKeys: [] });

/** Whether each amount of a quote can be stored, added up and shown. */
function assertFits(quoted: NonNullable<ReturnType<typeof quote>>): void {
  expect(quoted.amount_micro_usd >= 0n && quoted.amount_micro_usd <= MAX_RUN_MICRO_USD).toBe(true);
  for (const line of quoted.line_items) {
    expect(line.amount_usd).toMatch(USD_PATTERN);
    expect(line.unit_price_usd).toMatch(USD_PATTERN);
    expect(line.quantity).toMatch(/^\d+(\.\d{1,6})?$/);
  }
  const sum = quoted.line_items.reduce((total, { amount_usd }) => total + parseUsd(amount_usd), 0n);
  expect(sum).toBe(quoted.amount_micro_usd);
}

/** Prices hostile inputs and bills: what is reserved stays within the bound, and nothing that has a price is free. */
export function checkHostilePrices(numRuns: number): void {
  fc.assert(
    fc.property(price, input, fc.dictionary(field, file), bill, (draft, order: Json, media, billed) => {
      const parsedPrice = AddedPrice.safeParse({ ...RUN_PRICE, ...draft });
      if (!parsedPrice.success) return;
      const bare: InputContract = { fields: FIELDS, rules: [] };
      const contract = { ...bare, bounds: quantityBounds(parsedPrice.data, bare) };
      const model = { name: 'acme', contract, price: parsedPrice.data };
      if (priceObstacle(model) !== null) return;
      const bound = upperBound(model) ?? expect.fail('There is no bound.');
      assertFits(bound);
      const isPaid = parsedPrice.data.unit_price_micro_usd > 0 || parsedPrice.data.minimum_micro_usd > 0;
      const parsed = parseInput(contract, order, null);
      if (!parsed.ok) {
        expect(parsed.details.every(({ path }) => path.startsWith('input'))).toBe(true);
        return;
      }
      for (const name of NAMES)
        if (!Object.hasOwn(order, name)) expect(property(parsed.input, name) ?? null).toBeNull();
      const reserved = quote(model, parsed.input, { media }) ?? expect.fail('There is no quote.');
      assertFits(reserved);
      expect(reserved.amount_micro_usd <= bound.amount_micro_usd).toBe(true);
      if (isPaid && parsedPrice.data.cap_micro_usd !== 0) expect(reserved.amount_micro_usd > 0n).toBe(true);
      const charged = quote(model, parsed.input, { media, ...billed }) ?? expect.fail('There is no charge.');
      assertFits(charged);
      if (isPaid && parsedPrice.data.cap_micro_usd !== 0) expect(charged.amount_micro_usd > 0n).toBe(true);
    }),
    { numRuns },
  );
}
