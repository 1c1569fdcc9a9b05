import type { ModelId } from '#contract/ids.ts';
import type { Rule } from '#contract/task.ts';
import { createOmniAdapter } from './gemini-adapter.ts';
import type { OmniModel } from './interactions.ts';
import { maxItems, onlyValues, type PresetModel } from '#server/models/providers/preset.ts';
import { openGemini } from './gemini-server.ts';

const NO_SEED = onlyValues('prompt', 'seed', [null], 'Gemini Omni does not take a seed.');

interface Omni extends OmniModel {
  id: ModelId;
  name: string;
  description: string;
  restrictions: readonly Rule[];
  /** Dollars per second in 720p, which has 5,792 tokens. */
  second_usd: string;
}

/**
 * All models of the family are called “Flash”; the catalog’s two entries are its two versions. Ids: js-genai 3.1.0.
 * Input and thoughts of both: https://ai.google.dev/gemini-api/docs/pricing, read 2026-11-23.
 */
const MODELS: readonly Omni[] = [
  {
    id: 'omni-video',
    model: 'gemini-omni-1.2-flash',
    name: 'Gemini Omni 1.2 Flash',
    description: 'Clips of up to 8 seconds with sound, from a prompt or from references.',
    restrictions: [
      NO_SEED,
      // Resellers name 6 (Vercel, inference.sh) or 10 (fal); Google’s page for 1.2 was not available.
      maxItems('prompt', 'reference_images', 6, 'Gemini Omni 1.2 takes at most 6 reference images.'),
    ],
    // inference.sh, 2026-11-06: $0.0695 a second, which is $12 per million tokens.
    prices: { input: 1.5, text_output: 9, video_output: 12 },
    second_usd: '0.0696',
  },
  {
    id: 'omni-video-flash',
    model: 'gemini-omni-1.1-flash',
    name: 'Gemini Omni 1.1 Flash',
    description: 'The version before 1.2: takes up to 7 reference images, and costs more.',
    restrictions: [NO_SEED],
    prices: { input: 1.5, text_output: 9, video_output: 17.5 },
    second_usd: '0.1014',
  },
];

export const OMNI_MODELS: readonly PresetModel[] = MODELS.map(
  ({ id, model, name, description, restrictions, prices, second_usd }) => ({
    task: 'video.create',
    model: id,
    provider_model: model,
    display: { name, maker: 'Google', description, capabilities: ['references', 'sound'], max_seconds: 8 },
    restrictions,
    price: {
      unit: 'second',
      unit_price_usd: second_usd,
      read_on: '2026-11-23',
      source: 'https://ai.google.dev/gemini-api/docs/pricing',
      note: 'For 720p. Prompts, references and thoughts are billed as tokens in addition; the cost of each job is computed from its usage.',
    },
    createAdapter: (connection) =>
      createOmniAdapter({ service: openGemini(connection), api_key: connection.api_key, model, prices }),
  }),
);
