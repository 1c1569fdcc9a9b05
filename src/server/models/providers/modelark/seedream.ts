import { asInputOf, type InputOf } from '#contract/task-input.ts';
import type { ModelArkImageRequest } from './modelark-requests.ts';
import {
  type UpstreamEngineJob,
  type UpstreamAdapter,
  unreadableResponseError,
} from '#server/models/engine/upstream.ts';
import { type PresetModel, withoutMask } from '#server/models/providers/preset.ts';
import { createReferenceReader } from '#server/models/providers/reference-reader.ts';
import { assertTotalSize, toDataUrl } from './inline-file.ts';
import { openModelArk } from './open-modelark.ts';
import * as z from 'zod/mini';
import { chargedWork, toUpstreamCost } from '#server/models/engine/job-cost.ts';
import { headerRequestId } from '#server/models/engine/request-id.ts';
import { saveOutputs } from '#server/models/engine/save-outputs.ts';
import { failedError, createModelArkHttp, type ModelArkAccount } from './modelark-errors.ts';

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
  const billedInputs = Math.max(0, job.references.length - 1);
  return IMAGE_MICRO_USD[readInput(job).resolution] * BigInt(images) + INPUT_IMAGE_MICRO_USD * BigInt(billedInputs);
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
  restrictions: withoutMask(task, [], 'Seedream 5 Pro'),
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

interface ModelArkImagesOptions extends ModelArkAccount {
  /** @throws {EngineError} if the model does not take the input */
  buildRequest(job: UpstreamEngineJob): Promise<Omit<ModelArkImageRequest, 'watermark'>>;
  computeCost(job: UpstreamEngineJob, images: number): bigint;
  max_output_bytes?: number | undefined;
}

/** The response to submit contains the images. */
const TIMEOUT_MS = 15 * 60_000;
const MAX_RESPONSE_BYTES = 128 * 1_048_576;

const imagesResponse = z.object({
  data: z.optional(
    z.array(
      z.object({
        b64_json: z.nullish(z.string()),
        error: z.nullish(z.object({ code: z.string(), message: z.string() })),
      }),
    ),
  ),
});

/** ModelArk’s Images API, which responds with the images. It has no idempotency key and reports no price. */
export function createModelArkImages(options: ModelArkImagesOptions): UpstreamAdapter {
  const { buildRequest, computeCost, max_output_bytes, watermark } = options;
  const http = createModelArkHttp(options);
  return {
    supports_submit_key: false,
    async submit(job) {
      const request: ModelArkImageRequest = { ...(await buildRequest(job)), watermark };
      const { body: response, headers } = await http.requestJsonWithHeaders('/images/generations', {
        method: 'POST',
        json: request,
        signal: job.signal,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_RESPONSE_BYTES,
        // The response itself is the result.
        is_not_accepted_on_500: true,
      });
      job.onRequestId?.(headerRequestId(headers));
      const { data: images, error } = imagesResponse.safeParse(response);
      if (!images) throw unreadableResponseError(error);
      const items = images.data ?? [];
      const outputs = items.flatMap(({ b64_json }) => (b64_json ? [{ base64: b64_json }] : []));
      const failure = items.find((item) => item.error)?.error;
      if (outputs.length === 0 && failure) throw failedError(failure, http.redact);
      if (outputs.length === 0)
        return { status: 'unclear', reason: 'ModelArk reported success but returned no image.', result: null };
      const cost = toUpstreamCost(computeCost(job, outputs.length), 'computed');
      const files = await chargedWork(cost, () => saveOutputs(http, outputs, job, max_output_bytes));
      return { status: 'succeeded', result: { files, data: null }, cost_micro_usd: null, ...cost };
    },
    poll: () => Promise.reject(unreadableResponseError(new Error('An image job has nothing to poll.'))),
    cancel: () => Promise.resolve(),
  };
}
