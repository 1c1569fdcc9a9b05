import type { ProviderPrice } from '#contract/providers.ts';
import type { Rule } from '#contract/task.ts';
import type { UpstreamEngineJob } from '#server/models/engine/upstream.ts';
import type { PresetModel } from '#server/models/providers/preset.ts';
import {
  findSeedancePrice,
  SEEDANCE,
  SEEDANCE_EDIT_DISPLAY,
  type SeedanceModelId,
  type SeedancePrices,
} from '#server/models/providers/seedance.ts';
import type { ModelArkVideoRequest } from './modelark-requests.ts';
import { toBill } from '#server/models/engine/job-cost.ts';
import { createModelArkVideos } from './modelark-videos.ts';
import { openModelArk } from './open-modelark.ts';
import { buildCreateRequest, buildEditRequest, SEEDANCE_IDS } from './seedance-request.ts';

/**
 * Tenths of a micro-dollar per token: prices of the page, from a transcript of 2026-09-13 (read 2026-11-23); 4K is
 * derived from two other services. Dollars per million tokens are micro-dollars per token.
 */
const TOKEN_PRICES: Record<SeedanceModelId, SeedancePrices> = {
  'vidmodel-c-2': { '480p': [70n, 43n], '720p': [70n, 43n], '1080p': [77n, 47n], '4K': [40n, 24n] },
  'vidmodel-c-2-fast': { '480p': [56n, 33n], '720p': [56n, 33n] },
  'vidmodel-c-2-mini': { '480p': [35n, 21n], '720p': [35n, 21n] },
  'vidmodel-c-2.5': { '480p': [107n, 64n], '720p': [107n, 64n], '1080p': [117n, 70n] },
};

const VIDEO_NOTE =
  'As published in September 2026. With a reference video, its seconds are billed too, at about 60 percent of the price.';

type VideoPrice = Pick<ProviderPrice, 'unit_price_usd' | 'multipliers' | 'note'>;

const defineVideoModel = (
  model: SeedanceModelId,
  price: VideoPrice,
  buildRequest: (
    job: UpstreamEngineJob,
  ) => Promise<Omit<ModelArkVideoRequest, 'execution_expires_after' | 'watermark'>>,
): Omit<PresetModel, 'task' | 'display' | 'restrictions'> => ({
  model,
  provider_model: SEEDANCE_IDS[model],
  price: {
    unit: 'second',
    ...price,
    read_on: '2026-11-23',
    source: 'https://docs.byteplus.com/en/docs/ModelArk/1544106',
  },
  createAdapter: (connection) =>
    createModelArkVideos({
      ...openModelArk(connection),
      deadlineMs: connection.deadlineMs,
      buildRequest,
      computeCost({ input }, tokens) {
        const unitPrice = findSeedancePrice(TOKEN_PRICES[model], input);
        return unitPrice === null ? null : toBill(Math.ceil((tokens * Number(unitPrice)) / 10));
      },
    }),
});

const seedance = (model: SeedanceModelId, price: VideoPrice): PresetModel => ({
  task: 'video.create',
  ...SEEDANCE[model],
  ...defineVideoModel(model, { note: VIDEO_NOTE, ...price }, (job) => buildCreateRequest(model, job)),
});

const NO_RULES: readonly Rule[] = [];

/**
 * Prices per second of 16:9: tokens are width × height × 24 / 1024 per second. 480p is 864 × 496 for Seedance 2.0 and
 * 854 × 480 for 2.5.
 */
export const MODELARK_SEEDANCE_MODELS: readonly PresetModel[] = [
  seedance('vidmodel-c-2', {
    unit_price_usd: '0.1512',
    multipliers: { resolution: { '480p': '0.465', '1080p': '2.475', '4K': '5.142857' } },
  }),
  seedance('vidmodel-c-2-fast', { unit_price_usd: '0.12096', multipliers: { resolution: { '480p': '0.465' } } }),
  seedance('vidmodel-c-2-mini', { unit_price_usd: '0.0756', multipliers: { resolution: { '480p': '0.465' } } }),
  seedance('vidmodel-c-2.5', {
    unit_price_usd: '0.23112',
    multipliers: { resolution: { '480p': '0.444792', '1080p': '2.460280' } },
  }),
  {
    task: 'video.edit',
    display: {
      ...SEEDANCE_EDIT_DISPLAY,
      description: `${SEEDANCE_EDIT_DISPLAY.description} The clip needs a public address.`,
    },
    restrictions: NO_RULES,
    ...defineVideoModel(
      'vidmodel-c-2.5',
      {
        // Source and result are billed: twice 21,600 tokens per second at $6.40 per million.
        unit_price_usd: '0.27648',
        multipliers: { resolution: { '480p': '0.444792', '1080p': '2.460938' } },
        note: 'As published in September 2026. Seconds of reference videos are billed too.',
      },
      buildEditRequest,
    ),
  },
];
