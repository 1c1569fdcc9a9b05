import { expect, it } from 'vitest';
import type { AddedPrice } from '#contract/added-models/prices/price-schema.ts';
import type { InputContract } from '#contract/task.ts';
import {
  BLANK_PRICE,
  boundByForm,
  findPriceErrors,
  parsePrice,
  priceErrorField,
  toPriceValues,
} from './price-values.ts';

const contract: InputContract = {
  fields: [
    { kind: 'choice', name: 'duration', label: 'Duration', group: 'main', options: ['5', '10'], default: '5' },
    { kind: 'boolean', name: 'audio', label: 'Audio', group: 'main', default: false },
    { kind: 'integer', name: 'frames', label: 'Frames', group: 'main', min: 1, max: 240, default: 24 },
  ],
  rules: [],
};

const price: AddedPrice = {
  unit: 'second',
  unit_price_micro_usd: 100_000,
  per: 1,
  quantity: { from: 'field', field: 'duration', largest: null },
  outputs: { count: 1 },
  rounding: 'exact',
  minimum_micro_usd: 0,
  cap_micro_usd: null,
  tiers: [
    { when: [{ field: 'duration', in: ['10'] }], multiplier: 1_500_000 },
    {
      when: [
        { field: 'audio', present: true },
        { field: 'frames', at_least: 48 },
      ],
      multiplier: 250_000,
    },
  ],
};

it.each<[string, AddedPrice]>([
  ['with tiers', price],
  [
    'of tokens, with a cap and a minimum',
    {
      ...price,
      unit: 'token',
      per: 1_000_000,
      quantity: { from: 'result', largest: 2_000.5 },
      minimum_micro_usd: 1,
      cap_micro_usd: 2_500_000,
      tiers: [],
    },
  ],
  ['of a file', { ...price, quantity: { from: 'media', field: 'video', largest: 60 }, rounding: 'up' }],
  ['of each output', { ...price, unit: 'image', quantity: { from: 'one' }, outputs: { field: 'frames' } }],
  ['of the values true and 5', { ...price, tiers: [{ when: [{ field: 'x', in: [true, 5, null] }], multiplier: 0 }] }],
])('reads back the price %s', (_case, stored) => {
  expect(parsePrice(toPriceValues(stored))).toEqual({ price: stored, errors: null });
});

it('shows amounts in dollars, and leaves out what is not set', () => {
  expect(toPriceValues(price)).toMatchObject({ unitPrice: '0.10', minimum: '', cap: '' });
});

it('names each field that cannot be read', () => {
  const [tier] = toPriceValues(price).tiers;
  if (!tier) throw new Error('no tier');
  const typed = {
    ...BLANK_PRICE,
    quantity: { from: 'result' as const, largest: 0 },
    minimum: '0,50',
    cap: '-1',
    outputs: { count: 0 },
    tiers: [
      tier,
      { ...tier, multiplier: Number.NaN },
      { ...tier, when: [{ field: 'audio', in: [] }] },
      { ...tier, when: [{ field: 'frames', at_least: Number.NaN }] },
    ],
  };
  expect(parsePrice(typed).errors).toEqual({
    unitPrice: 'Enter the price.',
    minimum: 'Write cents after a point.',
    cap: 'Enter $0 or more.',
    largest: 'Enter a number above zero.',
    outputs: 'Enter a number above zero.',
    'tiers.1': 'Enter the factor, such as 2 or 0.5.',
    'tiers.2': 'Choose at least one value.',
    'tiers.3': 'Enter the number from which it applies.',
  });
});

it('finds the fields of a price that a form does not have', () => {
  const gone: AddedPrice = {
    ...price,
    quantity: { from: 'field', field: 'length', largest: 10 },
    outputs: { field: 'num_images' },
    cap_micro_usd: 1,
    tiers: [{ when: [{ field: 'quality', in: ['hd'] }], multiplier: 2_000_000 }],
  };
  expect(findPriceErrors(gone, 'Model', contract)).toEqual({
    quantity: 'The price counts “length”, which is no field.',
    outputs: 'The price counts “num_images”, which is no field.',
    'tiers.0': 'The price counts “quality”, which is no field.',
  });
});

it('asks for a cap where nothing bounds the price', () => {
  const open: AddedPrice = { ...price, quantity: { from: 'result', largest: null }, tiers: [] };
  expect(findPriceErrors(open, 'Model', contract)).toEqual({
    cap: 'Nothing bounds the price. Add a cap, or the largest quantity.',
  });
  expect(findPriceErrors(price, 'Model', contract)).toEqual({});
});

it('knows what the form bounds', () => {
  expect(boundByForm({ from: 'field', field: 'duration', largest: null }, contract)).toBe(10);
  expect(boundByForm({ from: 'result', largest: 5 }, contract)).toBeNull();
  expect(boundByForm({ from: 'one' }, contract)).toBe(1);
});

it.each([
  ['price', 'cap'],
  ['price.unit_price_micro_usd', 'unitPrice'],
  ['price.tiers.2.when.0.in', 'tiers.2'],
  ['price.outputs.field', 'outputs'],
  ['name', null],
])('shows an error of %s at %s', (path, field) => {
  expect(priceErrorField(path)).toBe(field);
});
