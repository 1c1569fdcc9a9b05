import { inputContract } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { formatDecimal, formatUsd, MAX_RUN_MICRO_USD, multiplyPrice, toMillionths } from './money.ts';
import { type Fraction, computeMultiplier } from './multipliers.ts';
import { type Price, type PriceBook, type PriceUnit, findPrice } from './pricing.ts';
import { asInputOf, type InputOf } from '#contract/task-input.ts';
import type { Platform } from '#contract/tasks/social-search.ts';
import type { SyncMode } from '#contract/tasks/video-lipsync.ts';

/** Price of one search result, so that 50 results of social_a cost $0.35. Decision: Prices */
const SEARCH_RESULT_PRICES_MICRO_USD: Record<Platform, bigint> = {
  social_a: 7_000n,
  social_b_reels: 5_000n,
  social_c_shorts: 3_000n,
};
const SEARCH_UNIT_MICRO_USD = 350_000n;

/** Known lengths of the input's media, in seconds. */
export interface MediaLengths {
  video_seconds?: number;
  audio_seconds?: number;
  /** Of an added model: files of the input by path. */
  files?: Readonly<Record<string, MeasuredFile>>;
}

export interface MeasuredFile {
  seconds?: number;
  width?: number;
  height?: number;
}

export interface PricedLineItem {
  description: string;
  /** Decimal string. */
  quantity: string;
  unit: string;
  unit_price_usd: string;
  amount_usd: string;
}

export interface Estimate {
  amount_micro_usd: bigint;
  minimum_micro_usd: bigint;
  /** `upper_bound`: the charge can only be lower. `lower_bound`: the length of the media is not known yet. */
  basis: 'exact' | 'upper_bound' | 'lower_bound';
  line_items: PricedLineItem[];
}

interface Quantity {
  /** Quantity in millionths of the unit. */
  millionths: bigint;
  basis: Estimate['basis'];
  /** Fraction of the unit price that applies; all of it by default. */
  share?: Fraction;
}

/** More of it costs the most that a run can. */
const MAX_UNITS = 1_000_000_000;

/** @throws {RangeError} for what is no quantity: inputs and media are validated before */
function exactQuantity(units: number): Quantity {
  const millionths = toMillionths(Math.min(units, MAX_UNITS));
  if (millionths === null) throw new RangeError(`Not a quantity: ${units}`);
  return { millionths, basis: 'exact' };
}
const roundToMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

/**
 * Returns the output length of a lip sync, or undefined while the lengths it depends on are unknown. Decision: Tools
 */
function lipsyncSeconds(mode: SyncMode, { video_seconds, audio_seconds }: MediaLengths): number | undefined {
  const lengths: Record<SyncMode, number | undefined> = {
    cut_off:
      video_seconds === undefined || audio_seconds === undefined ? undefined : Math.min(video_seconds, audio_seconds),
    silence: video_seconds,
    loop: audio_seconds,
    bounce: audio_seconds,
    remap: audio_seconds,
  };
  return lengths[mode];
}

const MAX_EDIT_SECONDS = 30;

type QuantityRule<Task extends TaskId> = (input: InputOf<Task>, lengths: MediaLengths, unit: PriceUnit) => Quantity;

const QUANTITY_RULES: { readonly [Task in TaskId]?: QuantityRule<Task> } = {
  'video.create': ({ duration_seconds }, _lengths, unit) => exactQuantity(unit === 'second' ? duration_seconds : 1),
  'video.edit': (_input, { video_seconds }) =>
    video_seconds === undefined
      ? { ...exactQuantity(MAX_EDIT_SECONDS), basis: 'upper_bound' }
      : exactQuantity(roundToMilliseconds(video_seconds)),
  'video.lipsync': ({ sync_mode }, lengths) => {
    const seconds = lipsyncSeconds(sync_mode, lengths);
    return seconds === undefined ? { millionths: 0n, basis: 'lower_bound' } : exactQuantity(seconds / 60);
  },
  'social.search': ({ platform, limit }) => ({
    ...exactQuantity(1),
    share: {
      numerator: SEARCH_RESULT_PRICES_MICRO_USD[platform] * BigInt(limit),
      denominator: SEARCH_UNIT_MICRO_USD,
    },
  }),
};

function computeQuantity<Task extends TaskId>(
  task: Task,
  input: Readonly<Record<string, unknown>>,
  lengths: MediaLengths,
  unit: PriceUnit,
): Quantity {
  const rule: QuantityRule<Task> | undefined = QUANTITY_RULES[task];
  return rule ? rule(asInputOf(task, input), lengths, unit) : exactQuantity(1);
}

const roundHalfUp = ({ numerator, denominator }: Fraction) => (2n * numerator + denominator) / (2n * denominator);

/** Returns the unit price after multipliers and share, rounded half up to a micro-dollar. */
const computeUnitPrice = (
  row: Pick<Price, 'unit_price_micro_usd'>,
  factor: Fraction,
  share: Fraction = { numerator: 1n, denominator: 1n },
): bigint =>
  roundHalfUp({
    numerator: row.unit_price_micro_usd * factor.numerator * share.numerator,
    denominator: factor.denominator * share.denominator,
  });

/** Returns the quantity that an amount pays for, rounded up to a millionth. */
const quantityForAmount = (amount_micro_usd: bigint, unit_price_micro_usd: bigint): bigint =>
  (amount_micro_usd * 1_000_000n + unit_price_micro_usd - 1n) / unit_price_micro_usd;

const maxAmount = (amount: bigint, minimum: bigint) => (amount > minimum ? amount : minimum);

/** What affects a price but is not part of the input. */
export interface PriceFacts extends MediaLengths {
  /** Options that the model chose where the input says `auto`: `{ quality: 'high' }`. */
  used?: Readonly<Record<string, unknown>>;
}

/** What is priced, and how much of it. */
interface PricedWork {
  /** Of the line item: model and multipliers that apply. */
  words: readonly string[];
  unit: string;
  unit_price_micro_usd: bigint;
  minimum_micro_usd: bigint;
  /** On the unit price, where options that the model chooses are the most or the least expensive ones. */
  highest: Fraction;
  lowest: Fraction;
  quantity: Quantity;
}

/** Composes the line items of a price, which add up to its amount. Decision: Line items */
export function composeEstimate(work: PricedWork): Estimate {
  const { words, unit, minimum_micro_usd } = work;
  const { millionths, basis, share } = work.quantity;
  const unitPriceMicroUsd = computeUnitPrice(work, work.highest, share);
  const counted = multiplyPrice(unitPriceMicroUsd, millionths);
  const least = multiplyPrice(computeUnitPrice(work, work.lowest, share), millionths);
  const missing = minimum_micro_usd - counted;
  const lineItems: PricedLineItem[] = [];
  const isUnknown = basis === 'lower_bound' && unitPriceMicroUsd > 0n;
  if (isUnknown || millionths > 0n)
    lineItems.push({
      description: [...words, ...(isUnknown ? ['minimum'] : [])].join(' · '),
      quantity: formatDecimal(isUnknown ? quantityForAmount(minimum_micro_usd, unitPriceMicroUsd) : millionths),
      unit,
      unit_price_usd: formatUsd(unitPriceMicroUsd),
      amount_usd: formatUsd(isUnknown ? minimum_micro_usd : counted),
    });
  if (missing > 0n && !isUnknown)
    lineItems.push({
      description: 'Minimum charge',
      quantity: '1',
      unit: 'operation',
      unit_price_usd: formatUsd(missing),
      amount_usd: formatUsd(missing),
    });
  const amountMicroUsd = maxAmount(counted, minimum_micro_usd);
  if (amountMicroUsd > MAX_RUN_MICRO_USD) return limitedEstimate(words, minimum_micro_usd);
  return {
    amount_micro_usd: amountMicroUsd,
    minimum_micro_usd,
    basis: basis === 'exact' && maxAmount(least, minimum_micro_usd) < amountMicroUsd ? 'upper_bound' : basis,
    line_items: lineItems,
  };
}

function limitedEstimate(words: readonly string[], minimumMicroUsd: bigint): Estimate {
  const amountUsd = formatUsd(MAX_RUN_MICRO_USD);
  const description = [...words, 'at most'].join(' · ');
  return {
    amount_micro_usd: MAX_RUN_MICRO_USD,
    minimum_micro_usd: minimumMicroUsd < MAX_RUN_MICRO_USD ? minimumMicroUsd : MAX_RUN_MICRO_USD,
    basis: 'upper_bound',
    line_items: [{ description, quantity: '1', unit: 'operation', unit_price_usd: amountUsd, amount_usd: amountUsd }],
  };
}

/**
 * Calculates the price of an input. Pure: browser and service get the same result.
 * Spec: Published prices; Decision: Prices, Line items
 * @param input validated by `parseInput`, with defaults
 * @throws {RangeError} if the task does not run on the model
 */
export function estimate(
  prices: PriceBook,
  task: TaskId,
  model: AnyModelId | null,
  input: Readonly<Record<string, unknown>>,
  known: PriceFacts = {},
): Estimate {
  const row = findPrice(prices, task, model);
  const contract = inputContract(task, model);
  if (!row || !contract) throw new RangeError(`No price for ${task} on ${model}`);
  const { highest, lowest, words } = computeMultiplier(row.multipliers ?? {}, contract, input, known.used ?? {});
  return composeEstimate({
    ...row,
    words: [model ?? task, ...words],
    highest,
    lowest,
    quantity: computeQuantity(task, input, known, row.unit),
  });
}
