import type { ModelId, TaskId } from './ids.ts';
import { formatUsd, multiply } from './money.ts';
import type { Platform } from './tasks/social-search.ts';
import type { SyncMode } from './tasks/video-lipsync.ts';

export const PRICE_UNITS = ['image', 'second', 'minute', 'generation', 'operation'] as const;
export type PriceUnit = (typeof PRICE_UNITS)[number];

export interface Price {
  task: TaskId;
  model: ModelId | null;
  unit: PriceUnit;
  unit_price_micro_usd: bigint;
  minimum_micro_usd: bigint;
  note: string | null;
}

const price = (
  task: TaskId,
  model: ModelId | null,
  unit: PriceUnit,
  unit_price_micro_usd: bigint,
  minimum_micro_usd: bigint,
  note: string | null = null,
): Price => ({ task, model, unit, unit_price_micro_usd, minimum_micro_usd, note });

/** Spec: Published prices */
export const PRICES: readonly Price[] = [
  price('image.create', 'imgmodel-a-2', 'image', 30_000n, 30_000n),
  price('image.create', 'imgmodel-a-2.5-flare', 'image', 4_740n, 4_745n),
  price('image.create', 'imgmodel-a-2.5-sunburst', 'image', 4_740n, 4_745n),
  price('image.create', 'imgmodel-b-2', 'image', 40_000n, 40_000n),
  price('image.create', 'imgmodel-b-2-lite', 'image', 20_000n, 20_000n),
  price('image.create', 'imgmodel-b-pro', 'image', 90_000n, 90_000n),
  price('image.create', 'imgmodel-d-5-pro', 'image', 35_000n, 35_000n),
  price('image.edit', 'imgmodel-a-2', 'image', 30_000n, 30_000n),
  price('image.edit', 'imgmodel-a-2.5-flare', 'image', 4_740n, 70_281n),
  price('image.edit', 'imgmodel-a-2.5-sunburst', 'image', 4_740n, 70_281n),
  price('image.edit', 'imgmodel-b-2', 'image', 40_000n, 40_000n),
  price('image.edit', 'imgmodel-b-2-lite', 'image', 20_000n, 20_000n),
  price('image.edit', 'imgmodel-b-pro', 'image', 90_000n, 90_000n),
  price('image.edit', 'imgmodel-d-5-pro', 'image', 35_000n, 35_000n),
  price(
    'social.search',
    null,
    'operation',
    350_000n,
    10_000n,
    'The exact price varies by platform and number of results.',
  ),
  price('video.add_audio', null, 'operation', 0n, 0n),
  price('video.concat', null, 'operation', 0n, 0n),
  price('video.extract_audio', null, 'operation', 0n, 0n),
  price('video.extract_frame', null, 'operation', 0n, 0n),
  price('video.split_scenes', null, 'operation', 0n, 0n),
  price('video.trim', null, 'operation', 0n, 0n),
  price('video.create', 'omni-video', 'generation', 315_000n, 315_000n),
  price('video.create', 'omni-video-flash', 'generation', 315_000n, 315_000n),
  price('video.create', 'vidmodel-c-2', 'second', 57_500n, 345_000n),
  price('video.create', 'vidmodel-c-2-fast', 'second', 45_000n, 270_000n),
  price('video.create', 'vidmodel-c-2-mini', 'second', 30_000n, 180_000n),
  price('video.create', 'vidmodel-c-2.5', 'second', 85_000n, 510_000n),
  price('video.edit', 'vidmodel-c-2.5', 'second', 85_000n, 680_000n),
  price('video.lipsync', 'lipsync-v3', 'minute', 8_000_000n, 133_333n),
];

export function priceOf(task: TaskId, model: ModelId | null): Price | undefined {
  return PRICES.find((row) => row.task === task && row.model === model);
}

/** What one result of a search costs. Decision: Prices */
const SEARCH_RATES_MICRO_USD: Record<Platform, bigint> = {
  social_a: 7_000n,
  social_b_reels: 5_000n,
  social_c_shorts: 3_000n,
};

/** Lengths of the input's media, in seconds, where they are known. */
export interface MediaLengths {
  video_seconds?: number;
  audio_seconds?: number;
}

export interface LineItem {
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
  line_items: LineItem[];
}

interface Quantity {
  /** In millionths of the unit. */
  millionths: bigint;
  basis: Estimate['basis'];
  /** Where it is not the price's own. */
  unit_price_micro_usd?: bigint;
}

const exactly = (units: number): Quantity => ({ millionths: BigInt(Math.round(units * 1_000_000)), basis: 'exact' });
const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

/** Output length of a lip sync; undefined where what decides it is not known. Decision: Tools */
export function lipsyncSeconds(mode: SyncMode, { video_seconds, audio_seconds }: MediaLengths): number | undefined {
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

const LONGEST_EDIT_SECONDS = 30;

const quantities: Partial<
  Record<TaskId, (input: Readonly<Record<string, unknown>>, lengths: MediaLengths) => Quantity>
> = {
  'video.edit': (_input, { video_seconds }) =>
    video_seconds === undefined
      ? { ...exactly(LONGEST_EDIT_SECONDS), basis: 'upper_bound' }
      : exactly(toMilliseconds(video_seconds)),
  'video.lipsync': (input, lengths) => {
    const seconds = lipsyncSeconds(input['sync_mode'] as SyncMode, lengths);
    return seconds === undefined ? { millionths: 0n, basis: 'lower_bound' } : exactly(seconds / 60);
  },
  'social.search': (input) => ({
    ...exactly(1),
    unit_price_micro_usd: SEARCH_RATES_MICRO_USD[input['platform'] as Platform] * BigInt(Number(input['limit'])),
  }),
};

function quantityOf(row: Price, input: Readonly<Record<string, unknown>>, lengths: MediaLengths): Quantity {
  const special = quantities[row.task];
  if (special) return special(input, lengths);
  return exactly(row.unit === 'second' ? Number(input['duration_seconds']) : 1);
}

const decimal = (millionths: bigint) => {
  const decimals = (millionths % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '');
  return `${millionths / 1_000_000n}${decimals && `.${decimals}`}`;
};

/**
 * What an input costs. Pure: the same in the browser and the service. Spec: Published prices; Decision: Prices, Line items
 * @param input judged by `parseInput`, defaults filled in
 * @throws {RangeError} where the task does not run on the model
 */
export function estimate(
  task: TaskId,
  model: ModelId | null,
  input: Readonly<Record<string, unknown>>,
  lengths: MediaLengths = {},
): Estimate {
  const row = priceOf(task, model);
  if (!row) throw new RangeError(`No price for ${task} on ${model}`);
  const quantity = quantityOf(row, input, lengths);
  const unit_price_micro_usd = quantity.unit_price_micro_usd ?? row.unit_price_micro_usd;
  const counted = multiply(unit_price_micro_usd, quantity.millionths);
  const missing = row.minimum_micro_usd - counted;
  const line_items: LineItem[] = [];
  if (quantity.millionths > 0n)
    line_items.push({
      description: model ?? task,
      quantity: decimal(quantity.millionths),
      unit: row.unit,
      unit_price_usd: formatUsd(unit_price_micro_usd),
      amount_usd: formatUsd(counted),
    });
  if (missing > 0n)
    line_items.push({
      description: 'Minimum charge',
      quantity: '1',
      unit: 'operation',
      unit_price_usd: formatUsd(missing),
      amount_usd: formatUsd(missing),
    });
  return {
    amount_micro_usd: missing > 0n ? row.minimum_micro_usd : counted,
    minimum_micro_usd: row.minimum_micro_usd,
    basis: quantity.basis,
    line_items,
  };
}
