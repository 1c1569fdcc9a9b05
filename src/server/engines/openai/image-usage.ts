import * as z from 'zod/mini';

/** `usage` of OpenAI’s `ImagesResponse`, in tokens. */
export const imageUsage = z.object({
  input_tokens: z.number(),
  input_tokens_details: z.nullish(z.object({ text_tokens: z.number(), image_tokens: z.number() })),
  output_tokens: z.number(),
});
export type OpenAiImageUsage = z.infer<typeof imageUsage>;
