import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUsd } from '#contract/money/money.ts';
import type { FieldSpec } from '#contract/task.ts';
import { priceProblems, quote, upperBound } from './price.ts';
import { AddedPrice } from './price-schema.ts';
import { RUN_PRICE } from '#contract/added-models/testing/run-price.ts';

const base = (name: string) => ({ name, label: name[0]?.toUpperCase() + name.slice(1), group: 'shape' }) as const;
const FIELDS: FieldSpec[] = [
  { ...base('prompt'), kind: 'text', required: true, min_length: 1, max_length: 2_000, multiline: true },
  { ...base('duration'), kind: 'choice', options: ['5', '10'], default: '5' },
  { ...base('resolution'), kind: 'choice', options: ['auto', '720p', '1080p'], default: '720p' },
  { ...base('audio'), kind: 'boolean', default: false },
  { ...base('images'), kind: 'integer', min: 1, max: 4, default: 1 },
  { ...base('frames'), kind: 'integer', min: 17, max: 161, default: 81 },
  { ...base('size'), kind: 'size', options: ['square_hd', 'auto'], min: 64, max: 2_000, default: 'square_hd' },
  { ...base('video'), kind: 'reference', media: 'video', nullable: true, with_role: false },
];
const model = (price: Partial<AddedPrice>) => ({
  name: 'acme/loops',
  contract: { fields: FIELDS, rules: [] },
  price: AddedPrice.parse({ ...RUN_PRICE, unit_price_micro_usd: 100_000, ...price }),
});
const INPUT = {
  prompt: 'A loop',
  duration: '5',
  resolution: '720p',
  audio: false,
  images: 1,
  frames: 81,
  size: 'square_hd',
  video: null,
};

const resolutionTiers: AddedPrice['tiers'] = [
  { when: [{ field: 'resolution', in: ['1080p'] }], multiplier: 2_500_000 },
  { when: [{ field: 'audio', in: [true] }], multiplier: 1_500_000 },
];
const perSecond = model({
  unit: 'second',
  quantity: { from: 'field', field: 'duration', largest: null },
  tiers: resolutionTiers,
});

describe('quote', () => {
  it('counts a field, multiplies the tiers that apply and names them', () => {
    expect(quote(perSecond, INPUT)).toMatchObject({ amount_micro_usd: 500_000n, certainty: 'exact' });
    expect(quote(perSecond, { ...INPUT, duration: '10', resolution: '1080p', audio: true })).toEqual({
      amount_micro_usd: 3_750_000n,
      minimum_micro_usd: 0n,
      basis: 'exact',
      certainty: 'exact',
      line_items: [
        {
          description: 'acme/loops · Resolution 1080p × 2.5 · Audio on × 1.5',
          quantity: '10',
          unit: 'second',
          unit_price_usd: '0.375',
          amount_usd: '3.75',
        },
      ],
    });
  });

  it('assumes the highest tier of an option that the model chooses', () => {
    expect(quote(perSecond, { ...INPUT, resolution: 'auto' })).toMatchObject({
      amount_micro_usd: 1_250_000n,
      basis: 'upper_bound',
      certainty: 'estimated',
      line_items: [{ description: 'acme/loops · Resolution at most × 2.5' }],
    });
  });

  it('applies the first of the tiers that ask for the same fields', () => {
    const tiers: AddedPrice['tiers'] = [
      { when: [{ field: 'frames', at_least: 100 }], multiplier: 3_000_000 },
      { when: [{ field: 'frames', at_least: 50 }], multiplier: 2_000_000 },
      {
        when: [
          { field: 'video', present: true },
          { field: 'audio', in: [true] },
        ],
        multiplier: 500_000,
      },
    ];
    expect(quote(model({ tiers }), { ...INPUT, frames: 120 })?.amount_micro_usd).toBe(300_000n);
    expect(quote(model({ tiers }), INPUT)?.amount_micro_usd).toBe(200_000n);
    const withVideo = { ...INPUT, frames: 20, audio: true, video: { url: 'https://example.com/a.mp4' } };
    expect(quote(model({ tiers }), withVideo)?.amount_micro_usd).toBe(50_000n);
  });

  it('counts images, frames, megapixels and characters', () => {
    const images = model({ unit: 'image', outputs: { field: 'images' } });
    expect(quote(images, { ...INPUT, images: 3 })).toMatchObject({ amount_micro_usd: 300_000n, certainty: 'exact' });
    const frames = model({ unit: 'image', quantity: { from: 'field', field: 'frames', largest: null } });
    expect(quote(frames, INPUT)).toMatchObject({ line_items: [{ quantity: '81', amount_usd: '8.10' }] });
    const pixels = model({
      unit: 'megapixel',
      quantity: { from: 'size', field: 'size', largest: null },
      outputs: { field: 'images' },
    });
    expect(quote(pixels, { ...INPUT, images: 2 })).toMatchObject({ line_items: [{ quantity: '2.097152' }] });
    const wholePixels = model({ ...pixels.price, rounding: 'up' });
    expect(quote(wholePixels, { ...INPUT, size: { width: 1_000, height: 1_001 } })).toMatchObject({
      line_items: [{ quantity: '2' }],
    });
    expect(quote(wholePixels, { ...INPUT, size: { width: 1_000, height: 1_000 } })).toMatchObject({
      line_items: [{ quantity: '1' }],
    });
    const characters = model({
      unit: '1000_characters',
      quantity: { from: 'text', fields: ['prompt'], largest: null },
    });
    expect(quote(characters, { ...INPUT, prompt: '🦊'.repeat(1_500) })).toMatchObject({
      line_items: [{ quantity: '1.5', unit: '1,000 characters', amount_usd: '0.15' }],
    });
  });

  it('adds a minimum charge', () => {
    expect(quote(model({ minimum_micro_usd: 250_000 }), INPUT)).toMatchObject({
      amount_micro_usd: 250_000n,
      line_items: [{ amount_usd: '0.10' }, { description: 'Minimum charge', amount_usd: '0.15' }],
    });
  });

  it('assumes the largest quantity of a file until it is measured', () => {
    const seconds = model({ unit: 'second', quantity: { from: 'media', field: 'video', largest: 29.5 } });
    expect(quote(seconds, INPUT)).toMatchObject({ amount_micro_usd: 3_000_000n, certainty: 'estimated' });
    expect(quote(seconds, INPUT, { media: { video: { seconds: 4.5 } } })).toMatchObject({
      amount_micro_usd: 450_000n,
      certainty: 'exact',
    });
  });

  it('bounds tokens and opaque units by their cap only, and prices what is reported afterwards', () => {
    const tokens = model({
      unit: 'token',
      per: 1_000_000,
      unit_price_micro_usd: 150_000,
      quantity: { from: 'result', largest: null },
      cap_micro_usd: 20_000,
    });
    expect(quote(tokens, INPUT)).toMatchObject({
      amount_micro_usd: 20_000n,
      certainty: 'capped',
      line_items: [{ description: 'acme/loops · at most', amount_usd: '0.02' }],
    });
    expect(quote(tokens, INPUT, { units: 12_345 })).toMatchObject({
      amount_micro_usd: 1_852n,
      certainty: 'exact',
      line_items: [{ quantity: '0.012345', unit: '1,000,000 tokens' }],
    });
    expect(quote(tokens, INPUT, { units: 900_000 })).toMatchObject({ amount_micro_usd: 20_000n, certainty: 'capped' });
    const images = model({ unit: 'image', quantity: { from: 'result', largest: 4 } });
    expect(quote(images, INPUT, { outputs: [{}, {}] })).toMatchObject({
      amount_micro_usd: 200_000n,
      certainty: 'exact',
    });
    expect(quote(model({ unit: 'token', quantity: { from: 'result', largest: null } }), INPUT)).toBeNull();
  });

  it('has line items that add up to the amount, which stays within the upper bound', () => {
    const price = fc.record({
      unit_price_micro_usd: fc.integer({ min: 0, max: 10_000_000 }),
      minimum_micro_usd: fc.integer({ min: 0, max: 1_000_000 }),
      cap_micro_usd: fc.option(fc.integer({ min: 1, max: 5_000_000 })),
      rounding: fc.constantFrom('exact', 'up'),
      quantity: fc.constantFrom<AddedPrice['quantity'][]>(
        { from: 'one' },
        { from: 'field', field: 'duration', largest: null },
        { from: 'size', field: 'size', largest: null },
        { from: 'text', fields: ['prompt'], largest: null },
        { from: 'field', field: 'frames', largest: null },
      ),
      outputs: fc.constantFrom<AddedPrice['outputs'][]>({ field: 'images' }, { count: 2 }),
      tiers: fc.subarray([...resolutionTiers, { when: [{ field: 'images', at_least: 2 }], multiplier: 333_333 }]),
    });
    const input = fc.record({
      prompt: fc.string({ minLength: 1, maxLength: 2_000 }),
      duration: fc.constantFrom('5', '10'),
      resolution: fc.constantFrom('auto', '720p', '1080p'),
      audio: fc.boolean(),
      images: fc.integer({ min: 1, max: 4 }),
      frames: fc.integer({ min: 17, max: 161 }),
      size: fc.oneof(
        fc.constantFrom('square_hd', 'auto'),
        fc.record({ width: fc.integer({ min: 64, max: 2_000 }), height: fc.integer({ min: 64, max: 2_000 }) }),
      ),
    });
    fc.assert(
      fc.property(price, input, (each, values) => {
        const priced = model({ ...each, cap_micro_usd: each.cap_micro_usd ?? null });
        const quoted = quote(priced, values);
        const bound = upperBound(priced);
        if (!quoted || !bound) throw new Error('No price');
        const sum = quoted.line_items.reduce((total, { amount_usd }) => total + parseUsd(amount_usd), 0n);
        expect(sum).toBe(quoted.amount_micro_usd);
        expect(quoted.amount_micro_usd <= bound.amount_micro_usd).toBe(true);
      }),
    );
  });
});

describe('upperBound', () => {
  it('is unit price × largest quantity × most outputs × highest tiers', () => {
    expect(upperBound(perSecond)).toMatchObject({ amount_micro_usd: 3_750_000n, certainty: 'estimated' });
    const pixels = model({
      unit: 'megapixel',
      quantity: { from: 'size', field: 'size', largest: null },
      outputs: { field: 'images' },
    });
    expect(upperBound(pixels)?.amount_micro_usd).toBe(1_600_000n);
  });

  it('is the cap where nothing else bounds it, or nothing', () => {
    const seconds: Partial<AddedPrice> = { unit: 'second', quantity: { from: 'result', largest: null } };
    expect(upperBound(model({ ...seconds, cap_micro_usd: 700_000 }))).toMatchObject({
      amount_micro_usd: 700_000n,
      certainty: 'capped',
    });
    expect(upperBound(model(seconds))).toBeNull();
    expect(priceProblems(model(seconds))).toEqual(['Nothing bounds the price. Add a cap, or the largest quantity.']);
    expect(priceProblems(model({ outputs: { field: 'count' } }))).toContain(
      'The price counts “count”, which is no field.',
    );
    expect(priceProblems(perSecond)).toEqual([]);
  });
});
