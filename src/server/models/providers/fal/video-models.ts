import type { ModelId } from '#contract/ids.ts';
import type { Rule } from '#contract/task.ts';
import { maxItems, onlyValues, type PresetModel } from '#server/models/providers/preset.ts';
import { SEEDANCE_25_FRAME_RULES, SEEDANCE_FRAME_RULES } from '#server/models/providers/seedance-rules.ts';
import { defineFalModel } from './define-model.ts';
import { SEEDANCE_20_LIMITS, SEEDANCE_25_LIMITS } from './seedance-limits.ts';
import { buildSeedance, buildSeedanceEdit } from './seedance-requests.ts';
import { buildLipsync, buildOmniFlash } from './video-requests.ts';

type VideoEntry = Parameters<typeof defineFalModel>[0];

const OMNI_RULES: readonly Rule[] = [onlyValues('prompt', 'seed', [null], 'fal’s Gemini Omni Flash has no seed.')];

/** fal has one endpoint for both: the larger Omni is not offered there. */
const omniVideo = (model: ModelId): PresetModel =>
  defineFalModel({
    task: 'video.create',
    model,
    endpoint: 'google/gemini-omni-flash/v1.1/text-to-video',
    name: 'Gemini Omni Flash 1.1',
    maker: 'Google',
    description: 'Short clips with sound that combine people, objects and places from references.',
    capabilities: ['references', 'sound'],
    max_seconds: 8,
    restrictions: OMNI_RULES,
    price: { unit: 'second', unit_price_usd: '0.1', note: 'Clips are made at 720p.' },
    build: buildOmniFlash,
  });

const SEEDANCE_CAPABILITIES = ['references', 'first_frame', 'last_frame', 'sound'] as const;
/** 864 × 496 pixels to 1280 × 720, as tokens are counted. */
const SHARE_OF_480P = '0.466';
const REFERENCE_NOTE = 'With reference videos fal takes 60 % of this per second, and counts their seconds too.';

const seedance = (entry: Omit<VideoEntry, 'task' | 'maker' | 'build'>, build: VideoEntry['build']): PresetModel =>
  defineFalModel({ ...entry, task: 'video.create', maker: 'ByteDance', build });

const SEEDANCE_20 = 'bytedance/seedance-2.0';
const SEEDANCE_25 = 'bytedance/seedance-2.5';

const seedance20 = (
  model: ModelId,
  base: string,
  entry: Pick<VideoEntry, 'name' | 'description' | 'price' | 'capabilities'>,
): PresetModel =>
  seedance(
    { ...entry, model, endpoint: `${base}/text-to-video`, max_seconds: 15, restrictions: SEEDANCE_FRAME_RULES },
    buildSeedance(base, SEEDANCE_20_LIMITS),
  );

const EDIT_RULES: readonly Rule[] = [
  maxItems('video', 'reference_videos', 0, 'fal’s Seedance edits a video without reference videos.'),
];

export const FAL_VIDEO_MODELS: readonly PresetModel[] = [
  omniVideo('omni-video'),
  omniVideo('omni-video-flash'),
  seedance20('vidmodel-c-2', SEEDANCE_20, {
    name: 'Seedance 2.0',
    description: 'Film-like clips with sound, from text, frames or references.',
    capabilities: [...SEEDANCE_CAPABILITIES, '1080p', '4K'],
    price: {
      unit: 'second',
      unit_price_usd: '0.3034',
      // 1080p and 4K were measured by others.
      multipliers: { resolution: { '480p': SHARE_OF_480P, '1080p': '2.25', '4K': '5.15' } },
      note: REFERENCE_NOTE,
    },
  }),
  seedance20('vidmodel-c-2-fast', `${SEEDANCE_20}/fast`, {
    name: 'Seedance 2.0 Fast',
    description: 'The same in less time and for less, up to 720p.',
    capabilities: SEEDANCE_CAPABILITIES,
    price: {
      unit: 'second',
      unit_price_usd: '0.2419',
      multipliers: { resolution: { '480p': SHARE_OF_480P } },
      note: REFERENCE_NOTE,
    },
  }),
  seedance20('vidmodel-c-2-mini', `${SEEDANCE_20}/mini`, {
    name: 'Seedance 2.0 Mini',
    description: 'The cheapest Seedance, for drafts up to 720p.',
    capabilities: SEEDANCE_CAPABILITIES,
    price: {
      unit: 'second',
      unit_price_usd: '0.1547',
      multipliers: { resolution: { '480p': SHARE_OF_480P } },
      note: REFERENCE_NOTE,
    },
  }),
  seedance(
    {
      model: 'vidmodel-c-2.5',
      endpoint: `${SEEDANCE_25}/text-to-video`,
      name: 'Seedance 2.5',
      description: 'Takes of up to 30 seconds with sound that keep people and places from many references.',
      capabilities: [...SEEDANCE_CAPABILITIES, '1080p'],
      max_seconds: 30,
      restrictions: SEEDANCE_25_FRAME_RULES,
      price: {
        unit: 'second',
        unit_price_usd: '0.473',
        multipliers: { resolution: { '480p': SHARE_OF_480P, '1080p': '2.461' } },
        note: REFERENCE_NOTE,
      },
    },
    buildSeedance(SEEDANCE_25, SEEDANCE_25_LIMITS),
  ),
  defineFalModel({
    task: 'video.edit',
    model: 'vidmodel-c-2.5',
    endpoint: `${SEEDANCE_25}/reference-to-video`,
    name: 'Seedance 2.5',
    maker: 'ByteDance',
    description: 'Changes what you name in a clip and keeps its length and shape.',
    capabilities: ['references', 'sound', '1080p'],
    max_seconds: 30,
    restrictions: EDIT_RULES,
    price: {
      unit: 'second',
      // 60 % of $0.473, for the source and again for the result.
      unit_price_usd: '0.5676',
      multipliers: { resolution: { '480p': SHARE_OF_480P, '1080p': '2.461' } },
      note: 'fal counts the seconds of the source and of the result.',
    },
    build: buildSeedanceEdit,
  }),
  defineFalModel({
    task: 'video.lipsync',
    model: 'lipsync-v3',
    endpoint: 'fal-ai/sync-lipsync/v3',
    name: 'Sync Lipsync v3',
    maker: 'Sync Labs',
    description: 'Fits the lips of a speaker to any recording.',
    capabilities: ['sound'],
    price: { unit: 'minute', unit_price_usd: '8' },
    build: buildLipsync,
  }),
];
