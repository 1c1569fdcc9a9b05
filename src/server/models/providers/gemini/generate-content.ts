import type { Content, GenerateContentConfig, ImageConfig } from '@google/genai';
import * as z from 'zod/mini';
import { convertImages } from '#server/models/engine/convert-image.ts';
import { type Bill, chargedWork, toUpstreamCost, withJobCost } from '#server/models/engine/job-cost.ts';
import { saveOutputs } from '#server/models/engine/save-outputs.ts';
import { computeTokenCost } from '#server/models/engine/token-cost.ts';
import { type UpstreamJobOf, type UpstreamState, unreadableResponseError } from '#server/models/engine/upstream.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { noOutputError } from './gemini-errors.ts';
import { readInlineFiles } from './inline-files.ts';

/** Dollars per million tokens. */
interface GeminiImagePrices {
  input: number;
  /** Text and thoughts. */
  text_output: number;
  image_output: number;
}

export interface GeminiImageModel {
  model: string;
  /** False for a model with one size, which takes no `imageSize`. */
  has_sizes: boolean;
  prices: GeminiImagePrices;
}

export type GeminiImageJob = UpstreamJobOf<'image.create' | 'image.edit'>;

const TIMEOUT_MS = 10 * 60_000;
const MAX_RESPONSE_BYTES = 128 * 1_048_576;

const modalityTokens = z.array(z.object({ modality: z.nullish(z.string()), tokenCount: z.nullish(z.number()) }));
const usageMetadata = z.object({
  promptTokenCount: z.nullish(z.number()),
  candidatesTokenCount: z.nullish(z.number()),
  thoughtsTokenCount: z.nullish(z.number()),
  candidatesTokensDetails: z.nullish(modalityTokens),
});
type Usage = z.infer<typeof usageMetadata>;

const generateContentResponse = z.object({
  responseId: z.nullish(z.string()),
  candidates: z.optional(
    z.array(
      z.object({
        content: z.nullish(
          z.object({
            parts: z.nullish(
              z.array(
                z.object({
                  text: z.nullish(z.string()),
                  thought: z.nullish(z.boolean()),
                  inlineData: z.nullish(z.object({ data: z.string() })),
                }),
              ),
            ),
          }),
        ),
        finishReason: z.nullish(z.string()),
      }),
    ),
  ),
  promptFeedback: z.nullish(z.object({ blockReason: z.nullish(z.string()) })),
  // Read apart, so that a paid image is not lost over an unknown form of its usage.
  usageMetadata: z.optional(z.unknown()),
});

/** Calls `generateContent`. Google bills no errors, so a 500 means that nothing was accepted. */
export async function generateImage(
  http: UpstreamHttp,
  model: GeminiImageModel,
  maxOutputBytes: number,
  job: GeminiImageJob,
): Promise<UpstreamState> {
  const response = await http.requestJson(`/models/${model.model}:generateContent`, {
    method: 'POST',
    json: await buildRequest(model, job),
    signal: job.signal,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: Math.min(MAX_RESPONSE_BYTES, 2 * maxOutputBytes + 1_048_576),
    is_not_accepted_on_500: true,
  });
  const { data, error } = generateContentResponse.safeParse(response);
  if (!data) throw unreadableResponseError(error);
  job.onRequestId?.(data.responseId);
  const [candidate] = data.candidates ?? [];
  // Thoughts may hold drafts of the image.
  const parts = (candidate?.content?.parts ?? []).filter(({ thought }) => thought !== true);
  const image = parts.findLast(({ inlineData }) => inlineData)?.inlineData?.data;
  const reason = data.promptFeedback?.blockReason ?? candidate?.finishReason ?? null;
  const usage = usageMetadata.safeParse(data.usageMetadata).data;
  const cost = toUpstreamCost(usage ? computeCost(model.prices, usage) : null, 'computed');
  const completion = { cost_micro_usd: null, ...cost };
  if (!image) {
    const text = http.redact(parts.map((part) => part.text ?? '').join(' '));
    if (text === '' && (reason === null || reason === 'STOP'))
      return {
        status: 'unclear',
        reason: 'The provider reported success but returned no image.',
        result: null,
        ...completion,
      };
    throw withJobCost(noOutputError(reason, text || null), cost);
  }
  const outputs = await chargedWork(cost, async () => {
    const files = await saveOutputs(http, [{ base64: image }], job, maxOutputBytes);
    // The API has no field for the format and returns PNG or JPEG.
    const { output_format } = job.input;
    return { files, ...(output_format ? await convertImages(files, output_format, job.signal) : {}) };
  });
  return { status: 'succeeded', result: { ...outputs, data: null }, ...completion };
}

/** @throws {EngineError} for unsupported references */
async function buildRequest({ has_sizes }: GeminiImageModel, { input, references }: GeminiImageJob) {
  const { prompt, aspect_ratio, resolution } = input;
  const imageConfig = {
    ...(aspect_ratio === undefined || aspect_ratio === 'auto' ? {} : { aspectRatio: aspect_ratio }),
    ...(has_sizes && resolution !== undefined ? { imageSize: resolution } : {}),
  } satisfies ImageConfig;
  const files = await readInlineFiles(references);
  const images = files.map(({ mime_type, data }) => ({ inlineData: { mimeType: mime_type, data } }));
  return {
    contents: [{ role: 'user', parts: [{ text: prompt }, ...images] }] satisfies Content[],
    generationConfig: { responseModalities: ['IMAGE'], imageConfig } satisfies GenerateContentConfig,
  };
}

/** Without details, all output counts as image, which is the most expensive kind. */
function computeCost(prices: GeminiImagePrices, usage: Usage): Bill {
  const output = usage.candidatesTokenCount ?? 0;
  const details = usage.candidatesTokensDetails;
  const image = details
    ? details.filter(({ modality }) => modality === 'IMAGE').reduce((sum, { tokenCount }) => sum + (tokenCount ?? 0), 0)
    : output;
  return computeTokenCost([
    { tokens: usage.promptTokenCount ?? 0, usd_per_million: prices.input },
    { tokens: image, usd_per_million: prices.image_output },
    { tokens: Math.max(0, output - image), usd_per_million: prices.text_output },
    { tokens: usage.thoughtsTokenCount ?? 0, usd_per_million: prices.text_output },
  ]);
}
