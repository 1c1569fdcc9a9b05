import type { ModelId } from '#contract/ids.ts';
import type { Rule } from '#contract/task.ts';
import { onlyValues, type PresetModel } from '#server/models/providers/preset.ts';
import { defineFalModel } from './define-model.ts';
import { FAL_SEEDANCE_MODELS } from './fal-seedance.ts';
import { buildLipsync, buildOmniFlash } from './video-requests.ts';

const OMNI_RULES: readonly Rule[] = [onlyValues('prompt', 'seed', [null], 'fal’s Gemini Omni Flash has no seed.')];

const OMNI_ENDPOINTS = ['text-to-video', 'reference-to-video'].map((name) => `google/gemini-omni-flash/v1.1/${name}`);

/** fal has one endpoint for both: the larger Omni is not offered there. */
const omniVideo = (model: ModelId): PresetModel =>
  defineFalModel({
    task: 'video.create',
    model,
    endpoints: model === 'omni-video-flash' ? OMNI_ENDPOINTS : [],
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

export const FAL_VIDEO_MODELS: readonly PresetModel[] = [
  omniVideo('omni-video'),
  omniVideo('omni-video-flash'),
  ...FAL_SEEDANCE_MODELS,
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
