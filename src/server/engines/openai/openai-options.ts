import * as z from 'zod/mini';
import type { TaskId } from '#contract/ids.ts';

/**
 * Options of a model at OpenAI or a compatible service.
 * - `request`: JSONata for all parameters except `model`; `$file(reference)` uploads a file.
 * - `sizes`: `standard` for 1024x1024, 1536x1024 and 1024x1536 only, `free` for any size. Default: by the model's name.
 * - `organization`, `project`: the account to charge, if the key does not imply it.
 */
export const openAiOptions = z.strictObject({
  model: z.string().check(z.minLength(1), z.maxLength(200)),
  request: z.optional(z.string()),
  sizes: z.optional(z.enum(['standard', 'free'])),
  organization: z.optional(z.string().check(z.regex(/^[\w-]{1,100}$/))),
  project: z.optional(z.string().check(z.regex(/^[\w-]{1,100}$/))),
});

export const OPENAI_TASKS = ['image.create', 'image.edit', 'video.create', 'video.edit'] as const;

/** OpenAI shut down its Videos API on 2026-09-24; other servers still speak it. */
export const findOpenAiProblem = (task: TaskId, base_url: string): string | null =>
  task.startsWith('video.') && new URL(base_url).hostname === 'api.openai.com'
    ? `cannot run ${task} at OpenAI, which shut down its Videos API on 2026-09-24: use another engine, or list the tasks that stay`
    : null;
