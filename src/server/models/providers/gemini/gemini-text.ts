import type { Content, GenerateContentConfig } from '@google/genai';
import * as z from 'zod/mini';
import { isRefusalReason } from './gemini-errors.ts';
import { unreadableResponseError } from '#server/models/engine/upstream.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { type GenerateText, MAX_TEXT_RESPONSE_BYTES, type TextResponse } from '#server/models/text/text-model.ts';

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
export const createGeminiText =
  (http: UpstreamHttp): GenerateText =>
  async (model, { instructions, text, max_output_tokens, timeout_ms, signal }) => {
    const response = await http.requestJson(`/models/${encodeURIComponent(model)}:generateContent`, {
      method: 'POST',
      json: {
        systemInstruction: { parts: [{ text: instructions }] } satisfies Content,
        contents: [{ role: 'user', parts: [{ text }] }] satisfies Content[],
        generationConfig: { maxOutputTokens: max_output_tokens } satisfies GenerateContentConfig,
      },
      signal,
      timeout_ms,
      max_response_bytes: MAX_TEXT_RESPONSE_BYTES,
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
