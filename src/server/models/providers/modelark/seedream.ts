import { asInputOf, type InputOf } from '#contract/task-input.ts';
import { createModelArkImages } from './modelark-images.ts';
import type { ModelArkImageRequest } from './modelark-requests.ts';
import type { UpstreamEngineJob } from '#server/models/engine/upstream.ts';
import type { PresetModel } from '#server/models/providers/preset.ts';
import { createReferenceReader } from '#server/models/providers/reference-reader.ts';
import { assertTotalSize, toDataUrl } from './inline-file.ts';
import { openModelArk } from './open-modelark.ts';

type SeedreamInput = InputOf<'image.create', 'imgmodel-d-5-pro'>;

const MODEL = 'dola-seedream-5-0-pro-260628';

/** Sizes of docs.byteplus.com/en/docs/ModelArk/1541523 (read 2026-11-23). */
const SIZES: Record<SeedreamInput['resolution'], Record<SeedreamInput['aspect_ratio'], string>> = {
  '1K': {
    '1:1': '1024x1024',
    '4:3': '1152x864',
    '3:4': '864x1152',
    '16:9': '1424x800',
    '9:16': '800x1424',
    '3:2': '1248x832',
    '2:3': '832x1248',
    '21:9': '1568x672',
  },
  '2K': {
    '1:1': '2048x2048',
    '4:3': '2368x1776',
    '3:4': '1776x2368',
    '16:9': '2816x1584',
    '9:16': '1584x2816',
    '3:2': '2496x1664',
    '2:3': '1664x2496',
    '21:9': '3136x1344',
  },
};

/** Micro-dollars per image; the first image of the input is free: docs.byteplus.com/en/docs/ModelArk/1544106. */
const IMAGE_MICRO_USD = { '1K': 45_000n, '2K': 90_000n } as const;
const INPUT_IMAGE_MICRO_USD = 3_000n;

const readInput = ({ input }: Pick<UpstreamEngineJob, 'input'>): SeedreamInput =>
  asInputOf('image.create', input) as SeedreamInput;

async function buildRequest(job: UpstreamEngineJob): Promise<Omit<ModelArkImageRequest, 'watermark'>> {
  const { prompt, aspect_ratio, resolution, output_format } = readInput(job);
  const reader = createReferenceReader(job);
  const images = [...reader.readList('images'), ...reader.readList('reference_images')];
  reader.assertAllRead();
  assertTotalSize(images);
  return {
    model: MODEL,
    prompt,
    ...(images.length > 0 ? { image: await Promise.all(images.map((image) => toDataUrl(image, 'image'))) } : {}),
    size: SIZES[resolution][aspect_ratio],
    output_format,
    response_format: 'b64_json',
  };
}

function computeCost(job: UpstreamEngineJob, images: number): bigint {
  const billed_inputs = Math.max(0, job.references.length - 1);
  return IMAGE_MICRO_USD[readInput(job).resolution] * BigInt(images) + INPUT_IMAGE_MICRO_USD * BigInt(billed_inputs);
}

const seedream = (task: 'image.create' | 'image.edit'): PresetModel => ({
  task,
  model: 'imgmodel-d-5-pro',
  provider_model: MODEL,
  display: {
    name: 'Seedream 5 Pro',
    maker: 'ByteDance',
    description: 'Detailed photos, posters and edits that keep people and objects consistent.',
    capabilities: ['references', '2K'],
    max_seconds: null,
  },
  restrictions: [],
  price: {
    unit: 'image',
    unit_price_usd: '0.045',
    multipliers: { resolution: { '2K': '2' } },
    read_on: '2026-11-23',
    source: 'https://docs.byteplus.com/en/docs/ModelArk/1544106',
    note: 'As published in August 2026. Each reference image after the first costs $0.003.',
  },
  createAdapter: (connection) => createModelArkImages({ ...openModelArk(connection), buildRequest, computeCost }),
});

export const SEEDREAM_MODELS = [seedream('image.create'), seedream('image.edit')];
