import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeEstimate, estimate, type PricedLineItem } from '#contract/money/estimate.ts';
import { formatDecimal, formatUsd, multiplyPrice, parseUsd } from '#contract/money/money.ts';
import { PRICE_UNITS, PRICES } from '#contract/money/pricing.ts';
import { mergeMinimum, priceFormula } from './price-lines.ts';

const FORMULA = /^([\d,.]+)(?: × ([\d,]+))? [a-z ]+ × \$([\d,.]+)((?: × [\d.]+)*)(?: per ([\d,]+))?(, rounded)?$/;
const number = (text: string) => parseUsd(text.replaceAll(',', ''));

/** The amount that a reader calculates from a line, in micro-dollars over a denominator. */
function calculate(formula: string) {
  const [, quantity = '', , price = '', factors = '', per = '1', rounded] = FORMULA.exec(formula) ?? [];
  const parts = [number(quantity), ...factors.split(' × ').filter(Boolean).map(number)];
  return {
    numerator: parts.reduce((product, part) => product * part, number(price)),
    denominator: 1_000_000n ** BigInt(parts.length) * BigInt(per.replaceAll(',', '')),
    isRounded: rounded !== undefined,
  };
}

function expectToMultiplyOut(item: PricedLineItem) {
  const formula = priceFormula(item);
  const { numerator, denominator, isRounded } = calculate(formula);
  const difference = numerator - parseUsd(item.amount_usd) * denominator;
  expect(2n * (difference < 0n ? -difference : difference), formula).toBeLessThanOrEqual(denominator);
  expect(isRounded, formula).toBe(difference !== 0n);
}

const micro = (max: number) => fc.integer({ min: 1, max }).map(BigInt);

describe('price formula', () => {
  it('multiplies out to the amount for every length of a clip', () => {
    const clip = fc.record({
      seconds: fc.oneof(
        fc.integer({ min: 1, max: 600_000 }).map((ms) => ms / 1000),
        fc.double({ min: 0.01, max: 600, noNaN: true }),
      ),
      row: fc.constantFrom(
        ...PRICES.filter(({ task }) => task === 'video.lipsync' || task === 'video.edit' || task === 'video.create'),
      ),
    });
    fc.assert(
      fc.property(clip, ({ seconds, row: { task, model } }) => {
        const lengths = { video_seconds: seconds, audio_seconds: seconds };
        const input = { sync_mode: 'loop', duration_seconds: Math.ceil(seconds) };
        const [line] = estimate(PRICES, task, model, input, lengths).line_items;
        if (line) expectToMultiplyOut(line);
      }),
    );
  });

  it('multiplies out for every unit, price, quantity and multiplier', () => {
    const work = fc.record({
      unit: fc.constantFrom(...PRICE_UNITS, 'megapixel', '1,000 characters', '1,000,000 tokens', '3 images'),
      unit_price_micro_usd: micro(20_000_000),
      millionths: micro(50_000_000),
      factors: fc.array(micro(9_000_000), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(work, ({ unit, unit_price_micro_usd, millionths, factors }) => {
        const highest = {
          numerator: factors.reduce((product, factor) => product * factor, 1n),
          denominator: 1_000_000n ** BigInt(factors.length),
        };
        const { line_items } = composeEstimate({
          words: ['Model', ...factors.map((factor) => `Quality High × ${formatDecimal(factor)}`)],
          unit,
          unit_price_micro_usd,
          minimum_micro_usd: 0n,
          highest,
          lowest: highest,
          quantity: { millionths, basis: 'exact' },
        });
        line_items.forEach(expectToMultiplyOut);
      }),
    );
  });

  it('multiplies out where the minimum is the price of each of several units', () => {
    fc.assert(
      fc.property(micro(50), micro(1_000_000), micro(1_000_000), (count, unit, missing) => {
        const line = {
          description: 'image.create',
          quantity: String(count),
          unit: 'image',
          unit_price_usd: formatUsd(unit),
          amount_usd: formatUsd(multiplyPrice(unit, count * 1_000_000n)),
        };
        const minimum = { ...line, description: 'Minimum charge', unit: 'operation', amount_usd: formatUsd(missing) };
        mergeMinimum([line, minimum])
          .filter(({ unit: each }) => each === 'image')
          .forEach(expectToMultiplyOut);
      }),
    );
  });

  it('shows the minutes that are charged', () => {
    const { line_items } = estimate(
      PRICES,
      'video.lipsync',
      'lipsync-v3',
      { sync_mode: 'loop' },
      { audio_seconds: 3.5 },
    );
    expect(line_items.map(priceFormula)).toEqual(['0.058333 minutes × $8.00']);
    expect(line_items.map(({ amount_usd }) => amount_usd)).toEqual(['0.466664']);
  });
});
