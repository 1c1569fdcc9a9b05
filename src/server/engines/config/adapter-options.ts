import * as z from 'zod/mini';
import type { TaskId } from '#contract/ids.ts';
import { workflowNode } from '../comfyui/parse-workflow.ts';

/**
 * Options of a model at fal.
 * - `model`: the endpoint's id, such as `fal-ai/flux/dev`.
 * - `request`: JSONata for the endpoint's input; `$file(reference)` uploads a file. Default: the names that most
 *   endpoints share.
 * - `output`: JSONata for the URLs of the files, if they are not in `images`, `image`, `video` or `videos`.
 * - `priority`: of the request in fal's queue.
 * - `expire_after_seconds`: when fal deletes inputs and results.
 * - `storage_url`: where large files are uploaded.
 */
export const falOptions = z.strictObject({
  model: z
    .string()
    .check(
      z.regex(
        /^(?!.*(?:^|\/)(?:\.+|requests)(?:\/|$))[\w.-]+(\/[\w.-]+){1,7}$/,
        'must look like owner/model or owner/model/path',
      ),
    ),
  request: z.optional(z.string()),
  output: z.optional(z.string()),
  priority: z.optional(z.enum(['low', 'normal'])),
  expire_after_seconds: z.optional(z.int().check(z.gte(3_600), z.lte(10 * 365 * 86_400))),
  storage_url: z.optional(
    z.string().check(z.regex(/^https:\/\/[^\s?#@]+$/, 'must look like https://rest.example.com')),
  ),
});

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

const EDITOR_FORMAT_MESSAGE = 'is in the format of ComfyUI’s editor; export it with “Export (API)”';

/**
 * Options of a model in ComfyUI.
 * - `workflow`: the export of “Export (API)”. Texts in node inputs may contain `{{ expression }}`, JSONata over the
 *   job; `$file(reference)` uploads a file, `seed` is the job's seed.
 * - `output_node`: the id of the node whose files are the result; default: the last node that saves a file.
 * - `key_use`: `proxy` (the default) or `partner_nodes`, for the key of a Comfy account.
 */
export const comfyUiOptions = z
  .strictObject({
    workflow: z.pipe(
      z
        .record(z.string(), z.unknown())
        .check(z.refine((exported) => !Array.isArray(exported['nodes']), EDITOR_FORMAT_MESSAGE)),
      z.record(z.string(), workflowNode),
    ),
    output_node: z.optional(z.string()),
    key_use: z.optional(z.enum(['proxy', 'partner_nodes'])),
  })
  .check(
    z.refine(({ workflow, output_node }) => output_node === undefined || output_node in workflow, {
      path: ['output_node'],
      message: 'must be the id of a node of the workflow',
    }),
  );

const VERSION = '[0-9a-f]{64}';
const MODEL = '[\\w.-]+/[\\w.-]+';

/**
 * Options of a model at Replicate.
 * - `model`: `owner/name` for an official model, else `owner/name:version` or a version id.
 * - `request`: JSONata for the prediction's `input`; `$file(reference)` uploads a file.
 * - `output`: JSONata for the files or `{ files, data }`. Default: all URLs in the output.
 */
export const replicateOptions = z.strictObject({
  model: z
    .string()
    .check(
      z.regex(
        new RegExp(`^(${MODEL}|${MODEL}:${VERSION}|${VERSION})$`),
        'must look like owner/name or owner/name:version',
      ),
    ),
  request: z.string(),
  output: z.optional(z.string()),
});
