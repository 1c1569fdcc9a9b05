import * as z from 'zod/mini';
import type { TaskId } from '#contract/ids.ts';
import { workflowNode } from '#server/models/providers/comfyui/parse-workflow.ts';
import { FAL_ENDPOINT_PATTERN } from '#server/models/providers/fal/fal-request.ts';

/**
 * fal: `model` is the endpoint's id, `request` is JSONata for its input (`$file(reference)` uploads a file), `output`
 * JSONata for the URLs of the files, `expire_after_seconds` is when fal deletes inputs and results.
 */
export const falOptions = z.strictObject({
  model: z.string().check(z.regex(FAL_ENDPOINT_PATTERN, 'must look like owner/model or owner/model/path')),
  request: z.optional(z.string()),
  output: z.optional(z.string()),
  priority: z.optional(z.enum(['low', 'normal'])),
  expire_after_seconds: z.optional(z.int().check(z.gte(3_600), z.lte(10 * 365 * 86_400))),
  storage_url: z.optional(
    z.string().check(z.regex(/^https:\/\/[^\s?#@]+$/, 'must look like https://rest.example.com')),
  ),
});

/**
 * OpenAI or a compatible service: `request` is JSONata for all parameters except `model`; `sizes` is `standard` for
 * 1024x1024, 1536x1024 and 1024x1536 only; `organization` and `project` are the account to charge.
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
export const findOpenAiProblem = (task: TaskId, baseUrl: string): string | null =>
  task.startsWith('video.') && new URL(baseUrl).hostname === 'api.openai.com'
    ? `cannot run ${task} at OpenAI, which shut down its Videos API on 2026-09-24: use another engine, or list the tasks that stay`
    : null;

const EDITOR_FORMAT_MESSAGE = 'is in the format of ComfyUI’s editor; export it with “Export (API)”';

/**
 * ComfyUI: `workflow` is the export of “Export (API)”, in whose texts `{{ expression }}` is JSONata over the job and
 * `seed`; `output_node` is the node whose files are the result; `key_use` `partner_nodes`: the key of a Comfy account.
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
 * Replicate: `model` is `owner/name` for an official model, else `owner/name:version` or a version id; `request` is
 * JSONata for the input, `output` JSONata for the files or `{ files, data }`.
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
