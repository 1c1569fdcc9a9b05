import * as z from 'zod/mini';
import type { Bill } from '#server/models/engine/job-cost.ts';
import { computeTokenCost } from '#server/models/engine/token-cost.ts';

/** `usage` of OpenAI’s `ImagesResponse`, in tokens. */
export const imageUsage = z.object({
  input_tokens: z.number(),
  input_tokens_details: z.nullish(z.object({ text_tokens: z.number(), image_tokens: z.number() })),
  output_tokens: z.number(),
});
export type OpenAiImageUsage = z.infer<typeof imageUsage>;

/**
 * Dollars per million tokens of GPT Image 2, 2.5, 2.6. https://developers.openai.com/api/docs/pricing, read 2026-11-23
 */
const TOKEN_PRICES = { text_input: 5, image_input: 8, output: 30 } as const;
const MODELS_AT_THESE_PRICES = /^gpt-image-2(\.[56]-(flare|sunburst))?(-\d{4}-\d{2}-\d{2})?$/;

/**
 * Computes micro-dollars. Usage without details counts as image input, the dearer kind; cached input is not reported.
 */
export function computeImageCost({ input_tokens, input_tokens_details, output_tokens }: OpenAiImageUsage): Bill {
  const { text_tokens, image_tokens } = input_tokens_details ?? { text_tokens: 0, image_tokens: input_tokens };
  return computeTokenCost([
    { tokens: text_tokens, usd_per_million: TOKEN_PRICES.text_input },
    { tokens: image_tokens, usd_per_million: TOKEN_PRICES.image_input },
    { tokens: output_tokens, usd_per_million: TOKEN_PRICES.output },
  ]);
}

/** How a model is charged at an address; undefined if its prices are not known. */
export const findImageCost = (model: string, baseUrl: string) =>
  new URL(baseUrl).hostname === 'api.openai.com' && MODELS_AT_THESE_PRICES.test(model) ? computeImageCost : undefined;
