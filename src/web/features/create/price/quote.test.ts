import { describe, expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { findPrice, PRICES } from '#contract/money/pricing.ts';
import { parseInput } from '#contract/parse-input.ts';
import type { FieldSpec } from '#contract/task.ts';
import { initialValues } from '#web/forms/values/form-values.ts';
import { formatInputLimits } from '#web/forms/values/format-input-limits.ts';
import { priceLabel, priceLines } from '#web/forms/money/price-lines.ts';
import { formatUnitPrice } from './unit-price.ts';
import { missingFundsMessage } from '#web/forms/money/missing-funds-message.ts';
import { formatPriceFormula, priceBasisMessage, computeQuote, findEqualPriceDurations } from './quote.ts';
import { mediaLengths, toPriceableBlank, toPriceableInput } from '#web/forms/values/priceable-input.ts';
import { createCatalogNames } from '#web/api/catalog-names.ts';

const contractOf = (task: TaskId, model: AnyModelId | null) => {
  const contract = inputContract(task, model);
  if (!contract) throw new Error(`No ${task} on ${model}`);
  return contract;
};
const clip = (model: AnyModelId, duration_seconds: number) => ({ duration_seconds, model });
const quoteOf = (model: AnyModelId, seconds: number) =>
  computeQuote(PRICES, 'video.create', model, clip(model, seconds), {});
const sameAs = (model: AnyModelId, seconds: number) =>
  findEqualPriceDurations(PRICES, 'video.create', model, contractOf('video.create', model), clip(model, seconds));

const names = createCatalogNames();

describe('quotes', () => {
  it('formats the formula, with the minimum where it applies', () => {
    expect(formatPriceFormula(quoteOf('vidmodel-c-2', 8))).toBe('8 seconds × $0.0575');
    expect(formatPriceFormula(quoteOf('vidmodel-c-2', 4))).toBe('4 seconds × $0.0575, at least $0.345');
    expect(formatPriceFormula(computeQuote(PRICES, 'video.trim', null, {}, {}))).toBe('No charge');
  });

  it('uses the prices of the service and names multipliers', () => {
    const multipliers = { quality: { high: 2_500_000n } };
    const prices = PRICES.map((row) => (row.model === 'imgmodel-a-2.5-flare' ? { ...row, multipliers } : row));
    const quote = computeQuote(prices, 'image.create', 'imgmodel-a-2.5-flare', { quality: 'high' }, {});
    expect(priceLines(quote, names)).toEqual([
      {
        label: 'ImgModel A 2.5 Flare · Quality High × 2.5',
        formula: '1 image × $0.00474 × 2.5',
        amount_usd: '0.01185',
      },
    ]);
    const auto = computeQuote(prices, 'image.create', 'imgmodel-a-2.5-flare', { quality: 'auto' }, {});
    expect(priceLabel(auto)).toBe('at most $0.01185');
    expect(formatUnitPrice(findPrice(prices, 'image.create', 'imgmodel-a-2.5-flare')).price).toBe(
      '$0.00474 per image, varies',
    );
    expect(formatUnitPrice(findPrice(PRICES, 'image.create', 'imgmodel-a-2.5-flare'))).toEqual({
      price: '$0.004745 per image',
      minimum: null,
    });
  });

  it('shows a minimum as the price of the one unit of a request', () => {
    const quote = computeQuote(PRICES, 'image.create', 'imgmodel-a-2.5-flare', { quality: 'high' }, {});
    expect(formatPriceFormula(quote)).toBe('1 image × $0.004745');
    expect(priceLines(quote, names)).toEqual([
      { label: 'ImgModel A 2.5 Flare', formula: '1 image × $0.004745', amount_usd: '0.004745' },
    ]);
  });

  it('lists the minimum charge as a line', () => {
    expect(priceLines(quoteOf('vidmodel-c-2', 4), names)).toEqual([
      { label: 'VidModel C 2', formula: '4 seconds × $0.0575', amount_usd: '0.23' },
      { label: 'Minimum charge', formula: '', amount_usd: '0.115' },
    ]);
  });

  it('explains upper and lower bounds', () => {
    const edit = computeQuote(PRICES, 'video.edit', 'vidmodel-c-2.5', {}, {});
    expect([priceLabel(edit), priceBasisMessage(edit)]).toEqual([
      'at most $2.55',
      expect.stringContaining('only be less'),
    ]);
    const lips = computeQuote(PRICES, 'video.lipsync', 'lipsync-v3', { sync_mode: 'loop' }, {});
    expect([priceLabel(lips), priceBasisMessage(lips)]).toEqual(['from $0.133333', expect.stringContaining('minimum')]);
    expect(formatPriceFormula(lips)).toBe('At least $0.133333');
    const spoken = computeQuote(PRICES, 'video.lipsync', 'lipsync-v3', { sync_mode: 'loop' }, { audio_seconds: 20.5 });
    expect(formatPriceFormula(spoken)).toBe('0.341667 minutes × $8.00');
    const minutes = computeQuote(PRICES, 'video.lipsync', 'lipsync-v3', { sync_mode: 'loop' }, { audio_seconds: 120 });
    expect(formatPriceFormula(minutes)).toMatch(/^2 minutes × \$8\.00/);
    expect(priceLines(lips, names)).toEqual([
      { label: 'Lipsync v3 · minimum', formula: 'at least, at $8.00 per minute', amount_usd: '0.133333' },
    ]);
    const known = computeQuote(PRICES, 'video.edit', 'vidmodel-c-2.5', {}, { video_seconds: 10 });
    expect([priceLabel(known), priceBasisMessage(known)]).toEqual(['$0.85', null]);
  });

  it('finds durations of equal price', () => {
    expect(sameAs('vidmodel-c-2', 4)).toMatchObject({
      message: 'Minimum charge: 4, 5 and 6 s cost the same.',
      longest: 6,
      longestLabel: '6 s',
    });
    expect(sameAs('vidmodel-c-2', 8)).toBeNull();
    expect(sameAs('omni-video', 4)).toMatchObject({ message: '4, 6 and 8 s cost the same.', longest: 8 });
  });
});

describe('priceable input', () => {
  const video = contractOf('video.create', 'vidmodel-c-2');

  it('is complete without texts, which do not change the price', () => {
    const blank = initialValues(video);
    expect(toPriceableBlank(video, blank).kind).toBe('complete');
    expect(toPriceableInput(parseInput, video, blank, null)).toEqual(toPriceableBlank(video, blank));
    const typed = { ...blank, prompt: 'A forest' };
    expect(toPriceableInput(parseInput, video, typed, null)).toMatchObject({
      kind: 'complete',
      input: { prompt: 'A forest' },
    });
  });

  it('is partial without files', () => {
    const trim = contractOf('video.trim', null);
    expect(toPriceableBlank(trim, initialValues(trim)).kind).toBe('partial');
    expect(toPriceableInput(parseInput, trim, initialValues(trim), null).kind).toBe('partial');
  });

  it('is partial with a violated rule', () => {
    const image = contractOf('image.create', 'imgmodel-a-2');
    const values = { ...initialValues(image), resolution: '4K' };
    expect(toPriceableInput(parseInput, image, values, null).kind).toBe('partial');
  });

  it('is blocked while a value that decides the price is missing', () => {
    const search = contractOf('social.search', null);
    const missing = { kind: 'blocked', reason: 'Choose the platform to see the price.' };
    const values = { ...initialValues(search), platform: undefined };
    expect(toPriceableBlank(search, values)).toEqual(missing);
    expect(toPriceableInput(parseInput, search, values, null)).toEqual(missing);
    const long = { ...initialValues(video), duration_seconds: 99 };
    expect(toPriceableInput(parseInput, video, long, null)).toMatchObject({ kind: 'blocked' });
  });

  it('is blocked by a number that is half typed or out of range, before and after the validator is loaded', () => {
    for (const duration_seconds of [Number.NaN, -5, 99]) {
      const values = { ...initialValues(video), duration_seconds };
      expect(toPriceableBlank(video, values), String(duration_seconds)).toMatchObject({ kind: 'blocked' });
      expect(toPriceableInput(parseInput, video, values, null), String(duration_seconds)).toMatchObject({
        kind: 'blocked',
      });
    }
    const named = (name: string) => ({ name, label: name, group: 'main' }) as const;
    const size = { kind: 'integer', ...named('size'), min: 1, max: 9 } as const;
    const list = { kind: 'list', ...named('sizes'), min_items: 0, max_items: 3, item: size } as const;
    const rows = { kind: 'rows', ...named('rows'), min_items: 0, max_items: 3, fields: [list] } as const;
    const group = { kind: 'group', ...named('group'), fields: [size] } as const;
    const kind = (field: FieldSpec, value: unknown) =>
      toPriceableBlank({ ...video, fields: [field] }, { [field.name]: value }).kind;
    for (const value of [Number.NaN, 0, 10]) {
      expect(kind(list, [1, value])).toBe('blocked');
      expect(kind(rows, [{ sizes: [value] }])).toBe('blocked');
      expect(kind(group, { size: value })).toBe('blocked');
    }
    expect(kind(rows, [{ sizes: [1, 9] }, {}])).toBe('complete');
    expect(kind(group, null)).toBe('complete');
  });

  it('reads the lengths of the main media', () => {
    const lips = contractOf('video.lipsync', 'lipsync-v3');
    const values = { video: { url: 'https://a.example/v' }, audio: { url: 'https://a.example/a' } };
    const info = { name: null, width: null, height: null, duration_seconds: 3.5 };
    expect(mediaLengths(lips, values, () => info)).toEqual({
      video_seconds: 3.5,
      audio_seconds: 3.5,
      files: { video: { seconds: 3.5 }, audio: { seconds: 3.5 } },
    });
    expect(mediaLengths(lips, values, () => undefined)).toEqual({});
  });
});

const unitPriceOf = (task: TaskId, model: AnyModelId | null) => formatUnitPrice(findPrice(PRICES, task, model));

describe('model summary', () => {
  it('formats the limits', () => {
    expect(formatInputLimits(contractOf('video.create', 'vidmodel-c-2'))).toEqual([
      'Up to 4K',
      '4 to 15 s',
      'start and end frame',
      '9 images, 3 videos and 3 sounds as references',
    ]);
    expect(formatInputLimits(contractOf('video.create', 'omni-video'))[0]).toBe('4, 6 or 8 s');
    expect(formatInputLimits(contractOf('image.create', 'imgmodel-a-2.5-flare'))).toEqual([
      'Up to 3840 × 2160',
      '16 reference images',
    ]);
    expect(formatInputLimits(contractOf('image.create', 'imgmodel-b-2-lite'))[0]).toBe('1K');
  });

  it('formats the unit price', () => {
    expect(unitPriceOf('video.create', 'vidmodel-c-2')).toEqual({
      price: '$0.0575 per second',
      minimum: 'at least $0.345',
    });
    expect(unitPriceOf('image.create', 'imgmodel-a-2')).toEqual({ price: '$0.03 per image', minimum: null });
    expect(unitPriceOf('video.trim', null)).toEqual({ price: 'Free', minimum: null });
  });
});

describe('missingFundsMessage', () => {
  it('includes the missing amount if it is known', () => {
    expect(missingFundsMessage('0.345', { available_usd: '0.12', reserved_usd: '0.00' })).toBe(
      'This costs $0.345; $0.12 is available. You need $0.225 more.',
    );
    expect(missingFundsMessage('0.345', { available_usd: '0.12', reserved_usd: '1.5' })).toContain(
      '$1.50 more is reserved',
    );
    expect(missingFundsMessage(undefined, undefined)).toMatch(/Not enough/);
  });
});
