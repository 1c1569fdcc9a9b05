import { describe, expect, it } from 'vitest';
import type { FieldSpec } from '../task.ts';
import { parseInput } from '../parse-input.ts';
import { quantityBounds } from './prices/price-quantity.ts';
import { priceProblems, quote, upperBound } from './prices/price.ts';
import type { AddedPrice } from './prices/price-schema.ts';
import { checkHostilePrices, HOSTILE_TEXTS } from './testing/check-hostile-prices.ts';
import { RUN_PRICE } from './testing/run-price.ts';

const base = (name: string) => ({ name, label: 'Length', group: 'shape' }) as const;
const FIELDS: FieldSpec[] = [
  { ...base('duration'), kind: 'choice', options: ['5', '10'], own_max_length: 400, default: '5' },
  { ...base('seconds'), kind: 'number', min: null, max: null, nullable: true, default: null },
];
/** A dollar per second, ten seconds at most. */
function modelBy(field: string, change: Partial<AddedPrice> = {}) {
  const price: AddedPrice = {
    ...RUN_PRICE,
    unit: 'second',
    unit_price_micro_usd: 1_000_000,
    quantity: { from: 'field', field, largest: 10 },
    ...change,
  };
  const contract = { fields: FIELDS, rules: [] };
  return { name: 'acme', contract: { ...contract, bounds: quantityBounds(price, contract) }, price };
}
const amountOf = (model: ReturnType<typeof modelBy>, input: Record<string, unknown>) =>
  quote(model, input)?.amount_micro_usd;

it('keeps hostile inputs and bills within the bound, and charges for all of them', () => {
  checkHostilePrices(300);
});

describe('a quantity', () => {
  it.each(HOSTILE_TEXTS)('counts the own text %j as the largest', (duration) => {
    expect(amountOf(modelBy('duration'), { duration })).toBe(10_000_000n);
  });

  it.each([
    ['5', 5_000_000n],
    ['7', 7_000_000n],
    ['7s', 7_000_000n],
    ['7.5 seconds', 7_500_000n],
    ['0.000001', 1_000_000n],
  ])('reads %j', (duration, amount) => {
    expect(amountOf(modelBy('duration'), { duration })).toBe(amount);
  });

  it.each([0, -0, -5])('counts the number %d as the largest', (seconds) => {
    expect(amountOf(modelBy('seconds'), { seconds })).toBe(10_000_000n);
  });

  it('counts a unit where the schema names no least', () => {
    expect(amountOf(modelBy('seconds'), { seconds: 1e-300 })).toBe(1_000_000n);
  });

  it('assumes the highest factor for a text that is no number', () => {
    const tiers = [{ when: [{ field: 'duration', at_least: 10 }], multiplier: 3_000_000 }];
    const model = modelBy('duration', { quantity: { from: 'one' }, tiers });
    expect(amountOf(model, { duration: '5' })).toBe(1_000_000n);
    for (const duration of ['00:10', '0x0A']) expect(amountOf(model, { duration })).toBe(3_000_000n);
  });

  it('applies the factor of an option to a text that reads like it', () => {
    const tiers = [{ when: [{ field: 'duration', in: ['HD'] }], multiplier: 3_000_000 }];
    expect(amountOf(modelBy('duration', { quantity: { from: 'one' }, tiers }), { duration: ' hd' })).toBe(3_000_000n);
  });
});

describe('a bound', () => {
  it.each([
    ['duration', '11'],
    ['duration', '11 seconds'],
    ['seconds', 10.01],
    ['seconds', 1.7e308],
  ])('refuses %s %j', (field, value) => {
    const { contract } = modelBy(field);
    expect(parseInput(contract, { [field]: value }, null)).toEqual({
      ok: false,
      details: [{ path: `input.${field}`, message: 'Length can be at most 10.' }],
    });
  });

  it('is never more than a run may cost', () => {
    const model = modelBy('duration', { unit_price_micro_usd: 1_000_000_000_000 });
    expect(priceProblems(model)[0]).toMatch(/^One run could cost more than \$1,000,000\.00\./);
    expect(upperBound(model)?.amount_micro_usd).toBe(1_000_000_000_000n);
    const factors = ['duration', 'seconds'].map((field) => ({ when: [{ field, present: true }], multiplier: 1e9 }));
    expect(priceProblems(modelBy('duration', { tiers: factors }))).toHaveLength(1);
    expect(priceProblems(modelBy('duration', { cap_micro_usd: 5_000_000 }))).toEqual([]);
  });

  it('does not make paid work free', () => {
    expect(priceProblems(modelBy('duration', { cap_micro_usd: 0 }))[0]).toMatch(/^A cap of zero makes every run free/);
    const tiers = [{ when: [{ field: 'duration', in: ['5'] }], multiplier: 1 }];
    expect(priceProblems(modelBy('duration', { unit_price_micro_usd: 1, tiers }))[0]).toMatch(
      /less than a micro-dollar/,
    );
    expect(quote(modelBy('duration'), { duration: '5' }, { units: 0 })?.amount_micro_usd).toBe(1n);
  });
});
