import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inputContract, modelsForTask } from '#contract/catalog.ts';
import { estimate, type PriceFacts } from './estimate.ts';
import { type ModelId, BUILT_IN_TASK_IDS, type TaskId } from '#contract/ids.ts';
import { formatUsd, multiplyPrice, parseUsd } from './money.ts';
import { listPricedOptions } from './multipliers.ts';
import {
  findPrice,
  type Multipliers,
  parsePrices,
  presentPrices,
  type Price,
  type PriceBook,
  PRICES,
} from './pricing.ts';
import { fieldDefault, type InputContract } from '#contract/task.ts';

const contractOf = (task: TaskId, model: ModelId | null): InputContract => {
  const contract = inputContract(task, model);
  if (!contract) throw new Error(`No ${task} on ${model}`);
  return contract;
};
const withRow = (task: TaskId, model: ModelId | null, changes: Partial<Price>): PriceBook =>
  PRICES.map((row) => (row.task === task && row.model === model ? { ...row, ...changes } : row));
const flare = (multipliers: Multipliers, changes: Partial<Price> = {}) =>
  withRow('image.create', 'imgmodel-a-2.5-flare', {
    unit_price_micro_usd: 10_000n,
    minimum_micro_usd: 0n,
    multipliers,
    ...changes,
  });
const priced = (prices: PriceBook, input: Record<string, unknown>, known?: PriceFacts) => {
  const { amount_micro_usd, basis, line_items } = estimate(
    prices,
    'image.create',
    'imgmodel-a-2.5-flare',
    { quality: 'low', size: '1024x1024', ...input },
    known,
  );
  return { usd: formatUsd(amount_micro_usd), basis, lines: line_items.map(({ description }) => description) };
};
const quality = { quality: { low: 500_000n, high: 2_500_000n, max: 6_000_000n } };

describe('multipliers', () => {
  test('apply to the chosen option; options without one count as 1', () => {
    expect(priced(flare(quality), { quality: 'high' })).toEqual({
      usd: '0.025',
      basis: 'exact',
      lines: ['imgmodel-a-2.5-flare · Quality High × 2.5'],
    });
    expect(priced(flare(quality), { quality: 'medium' })).toMatchObject({
      usd: '0.01',
      lines: ['imgmodel-a-2.5-flare'],
    });
    expect(priced(flare(quality), { quality: 'low' }).usd).toBe('0.005');
  });

  test('are multiplied with each other', () => {
    const prices = flare({ ...quality, size: { '2048x2048': 1_333_333n } });
    expect(priced(prices, { quality: 'high', size: '2048x2048' }).usd).toBe('0.033333');
  });

  test('reserve the highest price for auto and settle the option that was used', () => {
    expect(priced(flare(quality), { quality: 'auto' })).toEqual({
      usd: '0.06',
      basis: 'upper_bound',
      lines: ['imgmodel-a-2.5-flare · Quality at most × 6'],
    });
    expect(priced(flare(quality), { quality: 'auto' }, { used: { quality: 'high' } })).toMatchObject({
      usd: '0.025',
      basis: 'exact',
    });
    expect(priced(flare(quality), { quality: 'auto' }, { used: { quality: 'auto' } }).usd).toBe('0.06');
    expect(priced(flare(quality), { quality: 'auto' }, { used: { quality: '__proto__' } }).usd).toBe('0.06');
    expect(priced(flare(quality), { quality: 'auto' }, { used: { quality: 7 } }).usd).toBe('0.06');
  });

  test('ignore the used option if the input chose one', () => {
    expect(priced(flare(quality), { quality: 'low' }, { used: { quality: 'max' } }).usd).toBe('0.005');
  });

  test('make auto exact if the minimum charge covers every option', () => {
    const prices = flare(quality, { minimum_micro_usd: 60_000n });
    expect(priced(prices, { quality: 'auto' })).toMatchObject({ usd: '0.06', basis: 'exact' });
  });
});

test('a search scales with its unit price, in proportion for each platform', () => {
  const prices = withRow('social.search', null, { unit_price_micro_usd: 700_000n });
  const cost = (platform: string, limit: number) =>
    formatUsd(estimate(prices, 'social.search', null, { platform, limit }).amount_micro_usd);
  expect([cost('social_a', 50), cost('social_b_reels', 20), cost('social_c_shorts', 1)]).toEqual([
    '0.70',
    '0.20',
    '0.01',
  ]);
});

test('the published prices have 29 rows without multipliers', () => {
  const rows = presentPrices(PRICES);
  expect(rows).toHaveLength(29);
  expect(rows.some((row) => 'multipliers' in row)).toBe(false);
  expect(rows[0]).toEqual({
    task: 'image.create',
    model: 'imgmodel-a-2',
    unit: 'image',
    unit_price_usd: '0.03',
    minimum_usd: '0.03',
    note: null,
  });
});

const pairs = BUILT_IN_TASK_IDS.flatMap((task) => {
  const models = modelsForTask(task);
  return (models.length > 0 ? models : [null]).map((model) => ({ task, model, contract: contractOf(task, model) }));
});
const amount = (max: number) => fc.bigInt({ min: 0n, max: BigInt(max) });

/** A price row, an input with its fields, and lengths of its media. */
const orders = fc.constantFrom(...pairs).chain(({ task, model, contract }) => {
  const fields = contract.fields.filter((field) => listPricedOptions(field).length > 0);
  const multipliers = fc.record(
    Object.fromEntries(
      fields.map((field) => [
        field.name,
        fc.dictionary(fc.constantFrom(...listPricedOptions(field)), amount(30_000_000)),
      ]),
    ),
    { requiredKeys: [] },
  ) as fc.Arbitrary<Multipliers>;
  const chosen = Object.fromEntries(
    contract.fields.map((field) => {
      if (field.kind === 'choice') return [field.name, fc.constantFrom(...field.options)];
      if (field.kind === 'boolean') return [field.name, fc.boolean()];
      if (field.kind === 'integer')
        return [field.name, fc.integer({ min: field.min ?? 0, max: field.max ?? 1_000_000 })];
      return [field.name, fc.constant(fieldDefault(field))];
    }),
  );
  const seconds = fc.option(fc.double({ min: 0.01, max: 600, noNaN: true }), { nil: undefined });
  return fc.record({
    task: fc.constant(task),
    model: fc.constant(model),
    changes: fc.record({
      unit_price_micro_usd: amount(100_000_000),
      minimum_micro_usd: amount(1_000_000),
      multipliers,
    }),
    input: fc.record(chosen),
    lengths: fc.record({ video_seconds: seconds, audio_seconds: seconds }),
    used: fc.record(
      Object.fromEntries(fields.map((field) => [field.name, fc.constantFrom(...listPricedOptions(field))])),
    ),
  });
});
const known = ({ video_seconds, audio_seconds }: { video_seconds?: number; audio_seconds?: number }): PriceFacts => ({
  ...(video_seconds === undefined ? {} : { video_seconds }),
  ...(audio_seconds === undefined ? {} : { audio_seconds }),
});

describe('for any prices and any input', () => {
  test('line items add up, each is quantity times price, and the minimum applies', () => {
    fc.assert(
      fc.property(orders, ({ task, model, changes, input, lengths }) => {
        const prices = withRow(task, model, changes);
        const { amount_micro_usd, minimum_micro_usd, basis, line_items } = estimate(
          prices,
          task,
          model,
          input,
          known(lengths),
        );
        expect(line_items.reduce((sum, line) => sum + parseUsd(line.amount_usd), 0n)).toBe(amount_micro_usd);
        for (const line of line_items) {
          const [quantity, unit_price, amount] = [line.quantity, line.unit_price_usd, line.amount_usd].map(
            parseUsd,
          ) as [bigint, bigint, bigint];
          if (basis === 'lower_bound' && line.unit === 'minute') {
            // The minimum charge at the quantity it pays for, rounded up to a millionth.
            expect(multiplyPrice(unit_price, quantity) >= amount).toBe(true);
            expect(quantity === 0n || multiplyPrice(unit_price, quantity - 1n) <= amount).toBe(true);
          } else expect(multiplyPrice(unit_price, quantity)).toBe(amount);
        }
        expect(minimum_micro_usd).toBe(changes.minimum_micro_usd);
        expect(amount_micro_usd >= minimum_micro_usd).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the used option never costs more than the reservation, and the same as choosing it', () => {
    fc.assert(
      fc.property(orders, ({ task, model, changes, input, lengths, used }) => {
        const prices = withRow(task, model, changes);
        const reserved = estimate(prices, task, model, input, known(lengths));
        const settled = estimate(prices, task, model, input, { ...known(lengths), used });
        expect(settled.amount_micro_usd <= reserved.amount_micro_usd).toBe(true);
        if (reserved.basis === 'exact') expect(settled.amount_micro_usd).toBe(reserved.amount_micro_usd);
        const left = Object.entries(input).filter(([, value]) => value === 'auto' || value === 'adaptive');
        const explicit = { ...input, ...Object.fromEntries(left.map(([name]) => [name, used[name]])) };
        expect(estimate(prices, task, model, explicit, known(lengths)).amount_micro_usd).toBe(settled.amount_micro_usd);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a price book is unchanged after a round trip', () => {
    fc.assert(
      fc.property(orders, ({ task, model, changes }) => {
        const prices = withRow(task, model, changes);
        expect(parsePrices(presentPrices(prices))).toEqual(prices);
        expect(findPrice(parsePrices(presentPrices(prices)), task, model)).toMatchObject(changes);
      }),
      { numRuns: 300 },
    );
  });
});

test('charges at most what a run may cost, whatever an operator sets and a file measures', () => {
  const prices = PRICES.map((row) => ({ ...row, unit_price_micro_usd: 1_000_000_000_000_000n }));
  const input = {
    video: { url: 'https://example.com/v.mp4' },
    audio: { url: 'https://example.com/a.mp3' },
    sync_mode: 'silence',
  };
  for (const video_seconds of [60, 1e15, 1.7e308]) {
    const { amount_micro_usd, line_items } = estimate(prices, 'video.lipsync', 'lipsync-v3', input, { video_seconds });
    expect(amount_micro_usd).toBe(1_000_000_000_000n);
    expect(line_items).toMatchObject([{ amount_usd: '1000000.00' }]);
  }
});
