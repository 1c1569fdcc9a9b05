import { type AnyModelId, EXTRA_TASK_IDS, type ModelId, type TaskId } from '#contract/ids.ts';
import { formatDecimal, formatUsd, parseUsd } from './money.ts';

export const PRICE_UNITS = ['image', 'second', 'minute', 'generation', 'operation'] as const;
export type PriceUnit = (typeof PRICE_UNITS)[number];

export interface Price {
  task: TaskId;
  model: ModelId | null;
  unit: PriceUnit;
  unit_price_micro_usd: bigint;
  minimum_micro_usd: bigint;
  note: string | null;
  /** The published prices have none. */
  multipliers?: Multipliers;
}

/** Factors by input field and option, in millionths; options that are not listed count as 1. Decision: Prices */
export type Multipliers = Readonly<Record<string, Readonly<Record<string, bigint>>>>;

/** The prices of an installation: one row per pair of task and model. */
export type PriceBook = readonly Price[];

const definePrice = (
  task: TaskId,
  model: ModelId | null,
  unit: PriceUnit,
  unitPriceMicroUsd: bigint,
  minimumMicroUsd: bigint,
  note: string | null = null,
): Price => ({ task, model, unit, unit_price_micro_usd: unitPriceMicroUsd, minimum_micro_usd: minimumMicroUsd, note });

/** Spec: Published prices */
export const PRICES: PriceBook = [
  definePrice('image.create', 'imgmodel-a-2', 'image', 30_000n, 30_000n),
  definePrice('image.create', 'imgmodel-a-2.5-flare', 'image', 4_740n, 4_745n),
  definePrice('image.create', 'imgmodel-a-2.5-sunburst', 'image', 4_740n, 4_745n),
  definePrice('image.create', 'imgmodel-b-2', 'image', 40_000n, 40_000n),
  definePrice('image.create', 'imgmodel-b-2-lite', 'image', 20_000n, 20_000n),
  definePrice('image.create', 'imgmodel-b-pro', 'image', 90_000n, 90_000n),
  definePrice('image.create', 'imgmodel-d-5-pro', 'image', 35_000n, 35_000n),
  definePrice('image.edit', 'imgmodel-a-2', 'image', 30_000n, 30_000n),
  definePrice('image.edit', 'imgmodel-a-2.5-flare', 'image', 4_740n, 70_281n),
  definePrice('image.edit', 'imgmodel-a-2.5-sunburst', 'image', 4_740n, 70_281n),
  definePrice('image.edit', 'imgmodel-b-2', 'image', 40_000n, 40_000n),
  definePrice('image.edit', 'imgmodel-b-2-lite', 'image', 20_000n, 20_000n),
  definePrice('image.edit', 'imgmodel-b-pro', 'image', 90_000n, 90_000n),
  definePrice('image.edit', 'imgmodel-d-5-pro', 'image', 35_000n, 35_000n),
  definePrice(
    'social.search',
    null,
    'operation',
    350_000n,
    10_000n,
    'The exact price varies by platform and number of results.',
  ),
  definePrice('video.add_audio', null, 'operation', 0n, 0n),
  definePrice('video.concat', null, 'operation', 0n, 0n),
  definePrice('video.extract_audio', null, 'operation', 0n, 0n),
  definePrice('video.extract_frame', null, 'operation', 0n, 0n),
  definePrice('video.split_scenes', null, 'operation', 0n, 0n),
  definePrice('video.trim', null, 'operation', 0n, 0n),
  definePrice('video.create', 'omni-video', 'generation', 315_000n, 315_000n),
  definePrice('video.create', 'omni-video-flash', 'generation', 315_000n, 315_000n),
  definePrice('video.create', 'vidmodel-c-2', 'second', 57_500n, 345_000n),
  definePrice('video.create', 'vidmodel-c-2-fast', 'second', 45_000n, 270_000n),
  definePrice('video.create', 'vidmodel-c-2-mini', 'second', 30_000n, 180_000n),
  definePrice('video.create', 'vidmodel-c-2.5', 'second', 85_000n, 510_000n),
  definePrice('video.edit', 'vidmodel-c-2.5', 'second', 85_000n, 680_000n),
  definePrice('video.lipsync', 'lipsync-v3', 'minute', 8_000_000n, 133_333n),
];

/** Of the tasks beside the interface. */
export const EXTRA_PRICES: PriceBook = EXTRA_TASK_IDS.map((task) => definePrice(task, null, 'operation', 0n, 0n));

export function findPrice(prices: PriceBook, task: TaskId, model: AnyModelId | null): Price | undefined {
  const isWanted = (row: Price) => row.task === task && row.model === model;
  return prices.find(isWanted) ?? EXTRA_PRICES.find(isWanted);
}

type WireMultipliers = Record<string, Record<string, string>>;

/** A price in a response. */
type PriceRow = Pick<Price, 'task' | 'model' | 'unit' | 'note'> & {
  unit_price_usd: string;
  minimum_usd: string;
  multipliers?: WireMultipliers | undefined;
};

const mapOptions = <From, To>(
  fields: Readonly<Record<string, Readonly<Record<string, From>>>>,
  convert: (value: From) => To,
): Record<string, Record<string, To>> =>
  Object.fromEntries(
    Object.entries(fields).map(([field, options]) => [
      field,
      Object.fromEntries(Object.entries(options).map(([option, value]) => [option, convert(value)])),
    ]),
  );

/** Parses multipliers from decimal strings with at most 6 decimals. @throws {RangeError} */
export const parseMultipliers = (multipliers: WireMultipliers): Multipliers => mapOptions(multipliers, parseUsd);

export const presentPrices = (prices: PriceBook): PriceRow[] =>
  prices.map(({ unit_price_micro_usd, minimum_micro_usd, note, multipliers, ...row }) => ({
    ...row,
    unit_price_usd: formatUsd(unit_price_micro_usd),
    minimum_usd: formatUsd(minimum_micro_usd),
    note,
    ...(multipliers ? { multipliers: mapOptions(multipliers, formatDecimal) } : {}),
  }));

/** Parses a published price book. @throws {RangeError} if an amount is not a number of dollars */
export const parsePrices = (rows: readonly PriceRow[]): PriceBook =>
  rows.map(({ unit_price_usd, minimum_usd, multipliers, ...row }) => ({
    ...row,
    unit_price_micro_usd: parseUsd(unit_price_usd),
    minimum_micro_usd: parseUsd(minimum_usd),
    ...(multipliers ? { multipliers: parseMultipliers(multipliers) } : {}),
  }));
