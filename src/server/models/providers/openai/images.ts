import * as z from 'zod/mini';
import { convertImages, type ImageFormat } from '#server/models/engine/convert-image.ts';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import type { Mapping } from '#server/models/engine/mapping/mapping.ts';
import { type Bill, chargedWork, toUpstreamCost } from '#server/models/engine/job-cost.ts';
import { saveOutputs, type UpstreamOutput } from '#server/models/engine/save-outputs.ts';
import {
  type UpstreamEngineJob,
  type UpstreamJobOf,
  type UpstreamState,
  unreadableResponseError,
} from '#server/models/engine/upstream.ts';
import { headerRequestId } from '#server/models/engine/request-id.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { buildBody, buildParameters, type FilePlaceholder } from './request-parameters.ts';
import { openAiImageSize } from './openai-image-size.ts';
import { imageUsage, type OpenAiImageUsage } from './image-cost.ts';

export type OpenAiImageTask = 'image.create' | 'image.edit';

export interface ImageModel {
  model: string;
  sizes?: 'standard' | 'free' | undefined;
}

/** Models documented to accept any size. */
const FREE_SIZES = /^gpt-image-2/;

export function buildImageRequest(
  { model, sizes }: ImageModel,
  job: UpstreamJobOf<OpenAiImageTask>,
  nameReference: FilePlaceholder,
): Record<string, unknown> {
  const { input } = job;
  const { prompt, quality, background, output_format } = input;
  const supportedSizes = sizes ?? (FREE_SIZES.test(model) ? 'free' : 'standard');
  return {
    prompt,
    size: input.size === undefined ? openAiImageSize(input.aspect_ratio, input.resolution, supportedSizes) : input.size,
    ...(quality ? { quality } : {}),
    ...(background ? { background } : {}),
    ...(output_format ? { output_format } : {}),
    ...imageFiles(job.references, nameReference),
  };
}

/** A mask applies to the first image. */
export function imageFiles(references: readonly ResolvedReference[], nameReference: FilePlaceholder) {
  const images = references.filter(({ mask }) => !mask);
  const mask = references.find((reference) => reference.mask);
  return {
    ...(images.length > 0 ? { image: images.map(nameReference) } : {}),
    ...(mask ? { mask: nameReference(mask) } : {}),
  };
}

/** `image` holds the placeholders of files; `model` is added. */
export type BuildImageRequest = (
  job: UpstreamJobOf<OpenAiImageTask>,
  nameReference: FilePlaceholder,
) => Record<string, unknown>;

export interface ImagesOptions {
  model: string;
  request?: Mapping | undefined;
  computeCost?: ((usage: OpenAiImageUsage) => Bill) | undefined;
  /** Converts outputs, for servers that choose the format. */
  convert_to?: ImageFormat | null | undefined;
  max_output_bytes: number;
}

const TIMEOUT_MS = 15 * 60_000;
const MAX_RESPONSE_BYTES = 128 * 1_048_576;

const imagesResponse = z.object({
  created: z.number(),
  data: z.optional(z.array(z.object({ b64_json: z.nullish(z.string()), url: z.nullish(z.string()) }))),
  quality: z.nullish(z.string()),
  size: z.nullish(z.string()),
  // Read apart, so that a paid image is not lost over an unknown form of its usage.
  usage: z.optional(z.unknown()),
});

export async function createImages(
  http: UpstreamHttp,
  options: ImagesOptions,
  job: UpstreamEngineJob,
  build: (nameReference: FilePlaceholder) => Record<string, unknown>,
): Promise<UpstreamState> {
  const { model, request, convert_to, max_output_bytes } = options;
  const { values, files } = await buildParameters(job, request, build);
  const isEdit = 'image' in values || 'images' in values;
  const { body: response, headers } = await http.requestJsonWithHeaders(
    isEdit ? '/images/edits' : '/images/generations',
    {
      method: 'POST',
      ...(await buildBody({ values: { model, ...values }, files })),
      signal: job.signal,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: Math.min(MAX_RESPONSE_BYTES, 2 * max_output_bytes + 1_048_576),
      // The response itself is the result.
      is_not_accepted_on_500: true,
    },
  );
  job.onRequestId?.(headerRequestId(headers));
  const { data: images, error } = imagesResponse.safeParse(response);
  if (!images) throw unreadableResponseError(error);
  const outputs = (images.data ?? []).flatMap(({ b64_json, url }): UpstreamOutput[] => {
    if (b64_json) return [{ base64: b64_json }];
    return url ? [{ url }] : [];
  });
  const usage = imageUsage.safeParse(images.usage).data;
  const cost = toUpstreamCost((usage && options.computeCost?.(usage)) ?? null, 'computed');
  const completion = { cost_micro_usd: null, ...cost };
  if (outputs.length === 0) {
    const reason = 'The provider reported success but returned no image.';
    return { status: 'unclear', reason, result: null, ...completion };
  }
  const used = { ...(images.quality && { quality: images.quality }), ...(images.size && { size: images.size }) };
  const saved = await chargedWork(cost, async () => {
    const files = await saveOutputs(http, outputs, job, max_output_bytes);
    return { files, ...(convert_to ? await convertImages(files, convert_to, job.signal) : {}) };
  });
  return { status: 'succeeded', result: { ...saved, data: null, used }, ...completion };
}
