import type { ModelCapability, ProviderPrice } from '#contract/providers.ts';
import type { ModelDisplay } from '#contract/resources/provider-preset.ts';
import type { Rule } from '#contract/task.ts';
import { createModelArkVideos } from './modelark-videos.ts';
import type { PolledJob } from '#server/models/engine/upstream.ts';
import type { PresetModel } from '#server/models/providers/preset.ts';
import { SEEDANCE_25_FRAME_RULES, SEEDANCE_FRAME_RULES } from '#server/models/providers/seedance-rules.ts';
import { openModelArk } from './open-modelark.ts';
import { buildCreateRequest, buildEditRequest, SEEDANCE_IDS, type SeedanceModelId } from './seedance-request.ts';

const PRICE_PAGE = 'https://docs.byteplus.com/en/docs/ModelArk/1544106';
const CAPABILITIES: readonly ModelCapability[] = ['references', 'first_frame', 'last_frame', 'sound'];
const READ_ON = '2026-11-23';

/** Tenths of a micro-dollar per token, without and with a video in the input. */
type TokenPrice = readonly [without_video: bigint, with_video: bigint];
type TokenPrices = Readonly<Record<string, TokenPrice>>;

/**
 * Prices of the page, from a transcript of 2026-09-13 (read 2026-11-23); 4K is derived from two other services. Dollars
 * per million tokens are micro-dollars per token.
 */
const TOKEN_PRICES: Record<SeedanceModelId, TokenPrices> = {
  'vidmodel-c-2': { '480p': [70n, 43n], '720p': [70n, 43n], '1080p': [77n, 47n], '4K': [40n, 24n] },
  'vidmodel-c-2-fast': { '480p': [56n, 33n], '720p': [56n, 33n] },
  'vidmodel-c-2-mini': { '480p': [35n, 21n], '720p': [35n, 21n] },
  'vidmodel-c-2.5': { '480p': [107n, 64n], '720p': [107n, 64n], '1080p': [117n, 70n] },
};

function computeCost(model: SeedanceModelId, { input }: Pick<PolledJob, 'input'>, tokens: number): bigint | null {
  const price = TOKEN_PRICES[model][String(input['resolution'])];
  if (!price) return null;
  const videos = input['reference_videos'];
  const has_video = 'video' in input || (Array.isArray(videos) && videos.length > 0);
  return (BigInt(tokens) * price[has_video ? 1 : 0] + 9n) / 10n;
}

interface SeedanceModel {
  model: SeedanceModelId;
  display: ModelDisplay;
  restrictions: readonly Rule[];
  price: Omit<ProviderPrice, 'unit' | 'read_on' | 'source'>;
}

const VIDEO_NOTE =
  'As published in September 2026. With a reference video, its seconds are billed too, at about 60 percent of the price.';

/**
 * Prices per second of 16:9: tokens are width × height × 24 / 1024 per second. 480p is 864 × 496 for Seedance 2.0 and
 * 854 × 480 for 2.5.
 */
const SEEDANCE: readonly SeedanceModel[] = [
  {
    model: 'vidmodel-c-2',
    display: {
      name: 'Seedance 2.0',
      maker: 'ByteDance',
      description: 'Cinematic clips with sound, up to 4K, from text, frames or references.',
      capabilities: [...CAPABILITIES, '1080p', '4K'],
      max_seconds: 15,
    },
    restrictions: SEEDANCE_FRAME_RULES,
    price: {
      unit_price_usd: '0.1512',
      multipliers: { resolution: { '480p': '0.465', '1080p': '2.475', '4K': '5.142857' } },
      note: VIDEO_NOTE,
    },
  },
  {
    model: 'vidmodel-c-2-fast',
    display: {
      name: 'Seedance 2.0 Fast',
      maker: 'ByteDance',
      description: 'Seedance 2.0 in less time and at a lower price, up to 720p.',
      capabilities: [...CAPABILITIES],
      max_seconds: 15,
    },
    restrictions: SEEDANCE_FRAME_RULES,
    price: { unit_price_usd: '0.12096', multipliers: { resolution: { '480p': '0.465' } }, note: VIDEO_NOTE },
  },
  {
    model: 'vidmodel-c-2-mini',
    display: {
      name: 'Seedance 2.0 Mini',
      maker: 'ByteDance',
      description: 'The cheapest Seedance, for drafts up to 720p.',
      capabilities: [...CAPABILITIES],
      max_seconds: 15,
    },
    restrictions: SEEDANCE_FRAME_RULES,
    price: { unit_price_usd: '0.0756', multipliers: { resolution: { '480p': '0.465' } }, note: VIDEO_NOTE },
  },
  {
    model: 'vidmodel-c-2.5',
    display: {
      name: 'Seedance 2.5',
      maker: 'ByteDance',
      description: 'Long clips of up to 30 seconds with sound and many references.',
      capabilities: [...CAPABILITIES, '1080p'],
      max_seconds: 30,
    },
    restrictions: SEEDANCE_25_FRAME_RULES,
    price: {
      unit_price_usd: '0.23112',
      multipliers: { resolution: { '480p': '0.444792', '1080p': '2.460280' } },
      note: VIDEO_NOTE,
    },
  },
];

const NO_RULES: readonly Rule[] = [];

const createModel = ({ model, display, restrictions, price }: SeedanceModel): PresetModel => ({
  task: 'video.create',
  model,
  provider_model: SEEDANCE_IDS[model],
  display,
  restrictions,
  price: { unit: 'second', ...price, read_on: READ_ON, source: PRICE_PAGE },
  createAdapter: (connection) =>
    createModelArkVideos({
      ...openModelArk(connection),
      deadline_ms: connection.deadline_ms,
      buildRequest: (job) => buildCreateRequest(model, job),
      computeCost: (job, tokens) => computeCost(model, job, tokens),
    }),
});

const editModel: PresetModel = {
  task: 'video.edit',
  model: 'vidmodel-c-2.5',
  provider_model: SEEDANCE_IDS['vidmodel-c-2.5'],
  display: {
    name: 'Seedance 2.5',
    maker: 'ByteDance',
    description: 'Changes a clip by instruction and keeps its length and shape. The clip needs a public address.',
    capabilities: ['references', 'sound', '1080p'],
    max_seconds: 30,
  },
  restrictions: NO_RULES,
  price: {
    unit: 'second',
    // Source and result are billed: twice 21,600 tokens per second at $6.40 per million.
    unit_price_usd: '0.27648',
    multipliers: { resolution: { '480p': '0.444792', '1080p': '2.460938' } },
    read_on: READ_ON,
    source: PRICE_PAGE,
    note: 'As published in September 2026. Seconds of reference videos are billed too.',
  },
  createAdapter: (connection) =>
    createModelArkVideos({
      ...openModelArk(connection),
      deadline_ms: connection.deadline_ms,
      buildRequest: buildEditRequest,
      computeCost: (job, tokens) => computeCost('vidmodel-c-2.5', job, tokens),
    }),
};

export const SEEDANCE_MODELS: readonly PresetModel[] = [...SEEDANCE.map(createModel), editModel];
