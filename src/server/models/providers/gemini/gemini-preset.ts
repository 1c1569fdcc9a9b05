import * as z from 'zod/mini';
import { createGeminiHttp, isRefusalReason } from './gemini-errors.ts';
import { ResponseLostError, unreadableResponseError } from '#server/models/engine/upstream.ts';
import { type ProviderPreset, maxItems, onlyValues, type PresetModel } from '#server/models/providers/preset.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { GEMINI_ADDRESS, openGemini } from './gemini-server.ts';
import { GEMINI_IMAGE_MODELS } from './image-models.ts';
import type { Content, GenerateContentConfig } from '@google/genai';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { type GenerateText, MAX_TEXT_RESPONSE_BYTES, type TextResponse } from '#server/models/text/text-model.ts';
import type { ModelId } from '#contract/ids.ts';
import type { Rule } from '#contract/task.ts';
import { createOmniAdapter } from './gemini-adapter.ts';
import type { OmniModel } from './interactions.ts';

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

const OMNI_MODELS: readonly PresetModel[] = MODELS.map(
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

const generateContentResponse = z.object({
  candidates: z.optional(
    z.array(
      z.object({
        content: z.nullish(
          z.object({
            parts: z.nullish(z.array(z.object({ text: z.nullish(z.string()), thought: z.nullish(z.boolean()) }))),
          }),
        ),
        finishReason: z.nullish(z.string()),
      }),
    ),
  ),
  promptFeedback: z.nullish(z.object({ blockReason: z.nullish(z.string()) })),
  // Read apart, so that a paid answer is not lost over an unknown form of its usage.
  usageMetadata: z.optional(z.unknown()),
});
const usageMetadata = z.object({
  promptTokenCount: z.number(),
  candidatesTokenCount: z.nullish(z.number()),
  thoughtsTokenCount: z.nullish(z.number()),
});

/** Gemini’s `generateContent` with text alone. */
const createGeminiText =
  (http: UpstreamHttp): GenerateText =>
  async (model, { instructions, text, max_output_tokens, timeoutMs, signal }) => {
    const response = await http.requestJson(`/models/${encodeURIComponent(model)}:generateContent`, {
      method: 'POST',
      json: {
        systemInstruction: { parts: [{ text: instructions }] } satisfies Content,
        contents: [{ role: 'user', parts: [{ text }] }] satisfies Content[],
        generationConfig: { maxOutputTokens: max_output_tokens } satisfies GenerateContentConfig,
      },
      signal,
      timeoutMs,
      maxResponseBytes: MAX_TEXT_RESPONSE_BYTES,
      is_not_accepted_on_500: true,
    });
    const { data, error } = generateContentResponse.safeParse(response);
    if (!data) throw unreadableResponseError(error);
    const [candidate] = data.candidates ?? [];
    const reason = data.promptFeedback?.blockReason ?? candidate?.finishReason ?? null;
    const parts = (candidate?.content?.parts ?? []).filter(({ thought }) => thought !== true);
    const usage = usageMetadata.safeParse(data.usageMetadata).data;
    return {
      outcome: isRefusalReason(reason) ? 'refused' : reason === 'MAX_TOKENS' ? 'cut' : 'complete',
      text: parts.map((part) => part.text ?? '').join(''),
      usage: usage
        ? {
            input_tokens: usage.promptTokenCount,
            output_tokens: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
          }
        : null,
    } satisfies TextResponse;
  };

const modelList = z.object({ models: z.array(z.object({ name: z.string() })) });

const openHttp = (connection: PresetConnection) =>
  createGeminiHttp({ service: openGemini(connection), api_key: connection.api_key });

/** Nano Banana and Gemini Omni through the Gemini API. */
export const geminiPreset: ProviderPreset = {
  id: 'gemini',
  name: 'Google Gemini',
  description: 'Nano Banana for images and edits, Gemini Omni for clips with sound.',
  key: 'required',
  key_url: 'https://aistudio.google.com/apikey',
  terms_url: 'https://ai.google.dev/gemini-api/terms',
  environment_variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  default_address: GEMINI_ADDRESS,
  models: [...GEMINI_IMAGE_MODELS, ...OMNI_MODELS],
  text: {
    suggestion: {
      model: 'gemini-3.5-flash-lite',
      input_usd_per_million: '0.30',
      output_usd_per_million: '2.50',
      read_on: '2026-11-23',
      source: 'https://ai.google.dev/gemini-api/docs/pricing',
    },
    createGenerate: (connection) => createGeminiText(openHttp(connection)),
  },
  async check(connection, signal) {
    const { data } = modelList.safeParse(await openHttp(connection).requestJson('/models?pageSize=1', { signal }));
    if (!data) throw new ResponseLostError('The server does not list its models. Check the address.');
    return 'The key works. Images and videos also need billing in Google AI Studio; there is no free tier for them.';
  },
};
