import { describe, expect, it } from 'vitest';
import { AddedPrice, type PriceQuantity } from './price-schema.ts';
import { normalizeFal } from './provider-schemas.ts';
import { suggestPrice, toPriceUnits } from './suggest-price.ts';
import { falDocument } from './testing/fal-document.ts';

const { contract } = await normalizeFal(
  falDocument(
    {
      text: { type: 'string' },
      duration: { enum: ['5', '10'], default: '5' },
      num_images: { type: 'integer', minimum: 1, maximum: 4, default: 1 },
      width: { type: 'integer', minimum: 64, maximum: 2_048, default: 1_024 },
      height: { type: 'integer', minimum: 64, maximum: 2_048, default: 1_024 },
      video_url: { type: 'string' },
    },
    { required: ['text'] },
  ),
);

it.each([
  [
    'images',
    0.03,
    {
      unit: 'image',
      unit_price_micro_usd: 30_000,
      per: 1,
      quantity: { from: 'one' },
      outputs: { field: 'num_images' },
    },
  ],
  ['image', 0.03, { unit: 'image' }],
  [
    'megapixels',
    0.0021,
    {
      unit: 'megapixel',
      unit_price_micro_usd: 2_100,
      quantity: { from: 'result' },
      rounding: 'up',
      outputs: { count: 1 },
    },
  ],
  ['processed megapixels', 0.07, { unit: 'megapixel', quantity: { from: 'result' }, outputs: { count: 1 } }],
  ['seconds', 0.0007, { unit: 'second', unit_price_micro_usd: 700, quantity: { from: 'field', field: 'duration' } }],
  ['5 seconds', 0.01, { unit: 'second', unit_price_micro_usd: 2_000, per: 1 }],
  ['minutes', 0.3, { unit: 'second', unit_price_micro_usd: 5_000 }],
  ['input seconds', 0.0008, { unit: 'second', quantity: { from: 'media', field: 'video_url' } }],
  [
    'compute seconds',
    0.000_017,
    { unit: 'second', unit_price_micro_usd: 17_000, per: 1_000, quantity: { from: 'result' } },
  ],
  [
    '1000 characters',
    0.04,
    { unit: '1000_characters', unit_price_micro_usd: 40_000, quantity: { from: 'text', fields: ['text'] } },
  ],
  ['1000 tokens', 0.01, { unit: 'token', unit_price_micro_usd: 10_000_000, per: 1_000_000 }],
  ['generations', 0.3, { unit: 'run', unit_price_micro_usd: 300_000, quantity: { from: 'one' } }],
  ['units', 0.15, { unit: 'run', unit_price_micro_usd: 150_000, quantity: { from: 'result' } }],
  ['__proto__', 0.15, { unit: 'run' }],
])('suggests a price per %s', (unit, unit_price, expected) => {
  const price = suggestPrice({ unit_price, unit }, contract);
  expect(AddedPrice.parse(price)).toMatchObject(expected);
});

it.each([-1, 1e12, 9e15, 1e21, Number.NaN])('suggests no price of %d dollars', (unit_price) => {
  expect(suggestPrice({ unit_price, unit: 'seconds' }, contract)).toBeNull();
});

it('rounds a price up to a micro-dollar', () => {
  expect(suggestPrice({ unit_price: 1e-300, unit: 'seconds' }, contract)).toMatchObject({ unit_price_micro_usd: 1 });
});

describe('toPriceUnits', () => {
  it.each([
    [{ units: 2, unit: 'minutes' }, 'second', 'field', 120],
    [{ units: 3, unit: '5 seconds' }, 'second', 'result', 15],
    [{ units: 0.5, unit: '1000 characters' }, '1000_characters', 'text', 0.5],
    [{ units: 500, unit: 'characters' }, '1000_characters', 'text', 0.5],
    [{ units: 2, unit: '1000 tokens' }, 'token', 'result', 2_000],
    [{ units: 0, unit: 'images' }, 'image', 'one', 0],
    [{ units: 4, unit: 'images' }, 'megapixel', 'size', null],
    [{ units: 3, unit: 'units' }, 'run', 'result', 3],
    [{ units: 3, unit: 'units' }, 'run', 'one', null],
    [{ units: 3, unit: 'units' }, 'second', 'result', null],
  ] as const)('converts %j to %s counted by %s: %s', (billed, unit, from, expected) => {
    const quantities: Record<typeof from, PriceQuantity> = {
      one: { from: 'one' },
      field: { from: 'field', field: 'duration', largest: null },
      text: { from: 'text', fields: ['text'], largest: null },
      size: { from: 'size', field: 'size', largest: null },
      result: { from: 'result', largest: null },
    };
    expect(toPriceUnits({ unit, quantity: quantities[from] }, billed)).toBe(expected);
  });
});
