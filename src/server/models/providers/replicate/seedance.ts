import type { ModelCapability } from '#contract/providers.ts';
import type { Rule } from '#contract/task.ts';
import type { InputOf } from '#contract/task-input.ts';
import { EngineError, type ResolvedReference } from '#server/models/engine/engine.ts';
import { onlyValues, type PresetModel } from '#server/models/providers/preset.ts';
import { appendRoles } from '#server/models/providers/reference-reader.ts';
import { readSeedanceReferences, toSeedanceResolution } from '#server/models/providers/seedance-references.ts';
import {
  assertAudioHasCompany,
  SEEDANCE_25_FRAME_RULES,
  SEEDANCE_FRAME_RULES,
} from '#server/models/providers/seedance-rules.ts';
import { defineReplicateModel, type InputSource } from './define-replicate-model.ts';

/** Fields and prices of the schema pages replicate.com/bytedance/seedance-…/api/schema of 2026-10-05. */
const READ_ON = '2026-10-05';
const CAPABILITIES: readonly ModelCapability[] = ['references', 'first_frame', 'last_frame', 'sound'];
const MAX_SEEDANCE_25_PROMPT = 2000;

/** Micro-dollars per second, without and with a video in the input. */
type SecondPrices = Readonly<Record<string, readonly [without_video: bigint, with_video: bigint]>>;
const SEEDANCE_20_PRICES: SecondPrices = {
  '480p': [80_000n, 100_000n],
  '720p': [180_000n, 220_000n],
  '1080p': [450_000n, 550_000n],
  '4K': [1_000_000n, 1_250_000n],
};
const SEEDANCE_20_FAST_PRICES: SecondPrices = { '480p': [70_000n, 80_000n], '720p': [150_000n, 170_000n] };
const SEEDANCE_25_PRICES: SecondPrices = { '480p': [102_800n, 430_400n], '720p': [231_200n, 967_600n] };

type CreateInput = InputOf<'video.create', 'vidmodel-c-2' | 'vidmodel-c-2-fast' | 'vidmodel-c-2.5'>;

const secondCost = (prices: SecondPrices, resolution: string, has_video: boolean): bigint | null =>
  prices[resolution]?.[has_video ? 1 : 0] ?? null;

/** @param source the video of an edit, which comes first */
function readReferences(input: InputSource, prompt: string, source: readonly ResolvedReference[] = []) {
  const { images, videos, audio, counts, named } = readSeedanceReferences(
    input,
    source,
    (kind, number) => `[${kind}${number}]`,
  );
  assertAudioHasCompany(counts);
  const files = (field: string, list: readonly ResolvedReference[]) =>
    list.length === 0 ? {} : { [field]: list.map(input.nameFile) };
  return {
    prompt: appendRoles(prompt, named),
    ...files('reference_images', images),
    ...files('reference_videos', videos),
    ...files('reference_audios', audio),
  };
}

function buildCreateInput(input: CreateInput, source: InputSource) {
  const first = source.readOne('first_frame');
  const last = source.readOne('last_frame');
  return {
    ...readReferences(source, input.prompt),
    ...(first ? { image: source.nameFile(first) } : {}),
    ...(last ? { last_frame_image: source.nameFile(last) } : {}),
    duration: input.duration_seconds,
    resolution: toSeedanceResolution(input.resolution),
    aspect_ratio: input.aspect_ratio,
    generate_audio: input.generate_audio,
  };
}

/** @param prompt with the roles of references */
function assertPromptLength(prompt: string): void {
  if ([...prompt].length > MAX_SEEDANCE_25_PROMPT)
    throw new EngineError('engine_failed', 'Replicate’s Seedance 2.5 takes prompts of up to 2,000 characters.');
}

const createCost = (prices: SecondPrices, { resolution, reference_videos = [] }: CreateInput): bigint | null =>
  secondCost(prices, resolution, reference_videos.length > 0);

const seedance20 = defineReplicateModel({
  task: 'video.create',
  model: 'vidmodel-c-2',
  slug: 'bytedance/seedance-2.0',
  display: {
    name: 'Seedance 2.0',
    maker: 'ByteDance',
    description: 'Cinematic clips with sound, up to 4K, from text, frames or references.',
    capabilities: [...CAPABILITIES, '1080p', '4K'],
    max_seconds: 15,
  },
  restrictions: SEEDANCE_FRAME_RULES,
  has_seed: true,
  price: {
    unit: 'second',
    unit_price_usd: '0.18',
    multipliers: { resolution: { '480p': '0.444444', '1080p': '2.5', '4K': '5.555556' } },
    read_on: READ_ON,
    source: 'https://replicate.com/bytedance/seedance-2.0',
    note: 'With a reference video, a second costs about a quarter more.',
  },
  buildInput: buildCreateInput,
  unitCost: (input) => createCost(SEEDANCE_20_PRICES, input),
});

const seedance20Fast = defineReplicateModel({
  task: 'video.create',
  model: 'vidmodel-c-2-fast',
  slug: 'bytedance/seedance-2.0-fast',
  display: {
    name: 'Seedance 2.0 Fast',
    maker: 'ByteDance',
    description: 'Seedance 2.0 in less time and at a lower price, up to 720p.',
    capabilities: [...CAPABILITIES],
    max_seconds: 15,
  },
  restrictions: SEEDANCE_FRAME_RULES,
  has_seed: true,
  price: {
    unit: 'second',
    unit_price_usd: '0.15',
    multipliers: { resolution: { '480p': '0.466667' } },
    read_on: READ_ON,
    source: 'https://replicate.com/bytedance/seedance-2.0-fast',
    note: 'With a reference video, a second costs $0.17.',
  },
  buildInput: buildCreateInput,
  unitCost: (input) => createCost(SEEDANCE_20_FAST_PRICES, input),
});

const ONLY_480P_720P = onlyValues(
  'prompt',
  'resolution',
  ['480p', '720p'],
  'Replicate’s Seedance 2.5 makes 480p and 720p.',
);
const SEEDANCE_25_CREATE_RULES: readonly Rule[] = [...SEEDANCE_25_FRAME_RULES, ONLY_480P_720P];
const SEEDANCE_25_EDIT_RULES: readonly Rule[] = [ONLY_480P_720P];
const SEEDANCE_25 = { slug: 'bytedance/seedance-2.5', source: 'https://replicate.com/bytedance/seedance-2.5' };

const seedance25 = defineReplicateModel({
  task: 'video.create',
  model: 'vidmodel-c-2.5',
  slug: SEEDANCE_25.slug,
  display: {
    name: 'Seedance 2.5',
    maker: 'ByteDance',
    description: 'Long clips of up to 30 seconds with sound and many references.',
    capabilities: [...CAPABILITIES],
    max_seconds: 30,
  },
  restrictions: SEEDANCE_25_CREATE_RULES,
  has_seed: true,
  price: {
    unit: 'second',
    unit_price_usd: '0.2312',
    multipliers: { resolution: { '480p': '0.444637' } },
    read_on: READ_ON,
    source: SEEDANCE_25.source,
    note: 'With a reference video, a second costs $0.9676 in 720p and $0.4304 in 480p.',
  },
  buildInput(input, source) {
    const request = buildCreateInput(input, source);
    assertPromptLength(request.prompt);
    return request;
  },
  unitCost: (input) => createCost(SEEDANCE_25_PRICES, input),
});

const seedance25Edit = defineReplicateModel({
  task: 'video.edit',
  model: 'vidmodel-c-2.5',
  slug: SEEDANCE_25.slug,
  display: {
    name: 'Seedance 2.5',
    maker: 'ByteDance',
    description: 'Changes a clip by instruction and keeps its length and shape.',
    capabilities: ['references', 'sound'],
    max_seconds: 30,
  },
  restrictions: SEEDANCE_25_EDIT_RULES,
  has_seed: true,
  price: {
    unit: 'second',
    unit_price_usd: '0.9676',
    multipliers: { resolution: { '480p': '0.444812' } },
    read_on: READ_ON,
    source: SEEDANCE_25.source,
  },
  buildInput({ prompt, resolution, generate_audio }, source) {
    const references = readReferences(source, prompt, source.readList('video'));
    assertPromptLength(references.prompt);
    // An edit keeps length and shape of the first reference video.
    return { ...references, duration: -1, aspect_ratio: 'adaptive', resolution, generate_audio };
  },
  unitCost: ({ resolution }) => secondCost(SEEDANCE_25_PRICES, resolution, true),
});

export const SEEDANCE_MODELS: readonly PresetModel[] = [seedance20, seedance20Fast, seedance25, seedance25Edit];
