import type { ProviderPrice } from '#contract/providers.ts';
import type { Rule } from '#contract/task.ts';
import type { InputOf } from '#contract/task-input.ts';
import { EngineError, type ResolvedReference } from '#server/models/engine/engine.ts';
import { onlyValues, type PresetModel } from '#server/models/providers/preset.ts';
import { appendRoles } from '#server/models/providers/reference-reader.ts';
import {
  assertAudioHasCompany,
  findSeedancePrice,
  nameSeedanceFiles,
  readSeedanceReferences,
  SEEDANCE,
  SEEDANCE_EDIT_DISPLAY,
  type SeedancePrices,
  toSeedanceResolution,
} from '#server/models/providers/seedance.ts';
import { defineReplicateModel, type InputSource } from './define-replicate-model.ts';

/** Fields and prices of the schema pages replicate.com/bytedance/seedance-…/api/schema of 2026-10-05. */
const READ_ON = '2026-10-05';
const MAX_SEEDANCE_25_PROMPT = 2000;
const SEEDANCE_25 = 'bytedance/seedance-2.5';

/** Micro-dollars per second. */
const SEEDANCE_25_PRICES: SeedancePrices = { '480p': [102_800n, 430_400n], '720p': [231_200n, 967_600n] };

const ONLY_480P_720P = onlyValues(
  'prompt',
  'resolution',
  ['480p', '720p'],
  'Replicate’s Seedance 2.5 makes 480p and 720p.',
);
const SEEDANCE_25_RULES: readonly Rule[] = [...SEEDANCE['vidmodel-c-2.5'].restrictions, ONLY_480P_720P];
const EDIT_RULES: readonly Rule[] = [ONLY_480P_720P];

type ModelId = 'vidmodel-c-2' | 'vidmodel-c-2-fast' | 'vidmodel-c-2.5';

const FILE_FIELDS = { images: 'reference_images', videos: 'reference_videos', audio: 'reference_audios' } as const;

/** @param source the video of an edit, which comes first */
function readReferences(input: InputSource, prompt: string, source: readonly ResolvedReference[] = []) {
  const references = readSeedanceReferences(input, source, (kind, number) => `[${kind}${number}]`);
  assertAudioHasCompany(references);
  return {
    prompt: appendRoles(prompt, references.named),
    ...nameSeedanceFiles(references, FILE_FIELDS, input.nameFile),
  };
}

function buildCreateInput(input: InputOf<'video.create', ModelId>, source: InputSource) {
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

type Price = Pick<ProviderPrice, 'unit_price_usd' | 'multipliers' | 'note'>;

const toPrice = (slug: string, price: Price) =>
  ({ unit: 'second', ...price, read_on: READ_ON, source: `https://replicate.com/${slug}` }) as const;

const seedance = (model: ModelId, slug: string, prices: SeedancePrices, price: Price) => ({
  task: 'video.create' as const,
  model,
  slug,
  ...SEEDANCE[model],
  has_seed: true as const,
  price: toPrice(slug, price),
  buildInput: buildCreateInput,
  unitCost: (input: InputOf<'video.create', ModelId>) => findSeedancePrice(prices, input),
});

const seedance20 = seedance(
  'vidmodel-c-2',
  'bytedance/seedance-2.0',
  {
    '480p': [80_000n, 100_000n],
    '720p': [180_000n, 220_000n],
    '1080p': [450_000n, 550_000n],
    '4K': [1_000_000n, 1_250_000n],
  },
  {
    unit_price_usd: '0.18',
    multipliers: { resolution: { '480p': '0.444444', '1080p': '2.5', '4K': '5.555556' } },
    note: 'With a reference video, a second costs about a quarter more.',
  },
);

const seedance20Fast = seedance(
  'vidmodel-c-2-fast',
  'bytedance/seedance-2.0-fast',
  { '480p': [70_000n, 80_000n], '720p': [150_000n, 170_000n] },
  {
    unit_price_usd: '0.15',
    multipliers: { resolution: { '480p': '0.466667' } },
    note: 'With a reference video, a second costs $0.17.',
  },
);

const seedance25 = seedance('vidmodel-c-2.5', SEEDANCE_25, SEEDANCE_25_PRICES, {
  unit_price_usd: '0.2312',
  multipliers: { resolution: { '480p': '0.444637' } },
  note: 'With a reference video, a second costs $0.9676 in 720p and $0.4304 in 480p.',
});

const without1080p = <Display extends typeof SEEDANCE_EDIT_DISPLAY>(display: Display): Display => ({
  ...display,
  capabilities: display.capabilities.filter((capability) => capability !== '1080p'),
});

export const REPLICATE_SEEDANCE_MODELS: readonly PresetModel[] = [
  defineReplicateModel(seedance20),
  defineReplicateModel(seedance20Fast),
  defineReplicateModel({
    ...seedance25,
    display: without1080p(seedance25.display),
    restrictions: SEEDANCE_25_RULES,
    buildInput(input, source) {
      const request = buildCreateInput(input, source);
      assertPromptLength(request.prompt);
      return request;
    },
  }),
  defineReplicateModel({
    task: 'video.edit',
    model: 'vidmodel-c-2.5',
    slug: SEEDANCE_25,
    display: without1080p(SEEDANCE_EDIT_DISPLAY),
    restrictions: EDIT_RULES,
    has_seed: true,
    price: toPrice(SEEDANCE_25, { unit_price_usd: '0.9676', multipliers: { resolution: { '480p': '0.444812' } } }),
    buildInput({ prompt, resolution, generate_audio }, source) {
      const references = readReferences(source, prompt, source.readList('video'));
      assertPromptLength(references.prompt);
      // An edit keeps length and shape of the first reference video.
      return { ...references, duration: -1, aspect_ratio: 'adaptive', resolution, generate_audio };
    },
    unitCost: (input) => findSeedancePrice(SEEDANCE_25_PRICES, input),
  }),
];
