import * as z from 'zod/mini';
import { modelId, taskId } from '../primitives.ts';
import { MAX_IMPROVED_PROMPT_CHARACTERS } from '../text-model-limits.ts';

export const PromptImprovementCreate = z.strictObject({
  task: taskId(),
  /** null: a task without models. */
  model: z._default(z.nullable(modelId()), null),
  prompt: z.string().check(
    z.refine((text) => text.trim() !== '', 'Enter a prompt.'),
    z.refine(
      (text) => [...text].length <= MAX_IMPROVED_PROMPT_CHARACTERS,
      `Prompts of at most ${MAX_IMPROVED_PROMPT_CHARACTERS.toLocaleString('en-US')} characters can be improved.`,
    ),
  ),
});

/** Decision: Improve a prompt */
export const PromptImprovement = z.strictObject({
  object: z.literal('prompt_improvement'),
  /** At most as long as the model takes. */
  prompt: z.string(),
});
