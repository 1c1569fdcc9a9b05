import * as z from 'zod/mini';
import { taskId } from '#contract/primitives.ts';

/** Label of our own assertion: which generation made the file. */
export const GENERATION_ASSERTION = 'app.emulsion.generation';

/** Never a price or a person. */
export const GenerationAssertion = z.object({
  task: taskId(),
  model: z.optional(z.string()),
  provider: z.optional(z.string()),
  /** Salted SHA-256 of the stored record of the generation, base64url. */
  record: z.string(),
  prompt: z.optional(z.string()),
});
export type GenerationAssertion = z.infer<typeof GenerationAssertion>;
