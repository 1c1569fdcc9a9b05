import * as z from 'zod/mini';

/**
 * What the operator says of one model at OpenAI, or at a service that speaks its Images and Videos API.
 * - `request`: JSONata for the upstream's parameters, beside `model`. `$file(reference)` sends a file.
 * - `sizes`: `standard` where the model makes 1024x1024, 1536x1024 and 1024x1536 alone, `free` where it makes any size.
 *   Left out, it goes by what is documented of the model's name.
 * - `organization`, `project`: whom the upstream is to charge, where the key does not say it.
 */
export const openAiOptions = z.strictObject({
  model: z.string().check(z.minLength(1), z.maxLength(200)),
  request: z.optional(z.string()),
  sizes: z.optional(z.enum(['standard', 'free'])),
  organization: z.optional(z.string().check(z.regex(/^[\w-]{1,100}$/))),
  project: z.optional(z.string().check(z.regex(/^[\w-]{1,100}$/))),
});

/** The tasks that it can do. */
export const OPENAI_TASKS = ['image.create', 'image.edit', 'video.create', 'video.edit'] as const;
