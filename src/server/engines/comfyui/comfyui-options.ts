import * as z from 'zod/mini';
import { workflowNode } from './parse-workflow.ts';

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
