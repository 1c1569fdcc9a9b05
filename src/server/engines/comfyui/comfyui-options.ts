import * as z from 'zod/mini';

const EDITOR_FORMAT_MESSAGE = 'is in the format of ComfyUI’s editor; export it with “Export (API)”';
const node = z.looseObject({ class_type: z.string(), inputs: z.record(z.string(), z.unknown()) });

/**
 * What the operator says of one model in ComfyUI.
 * - `workflow`: as ComfyUI exports it with “Export (API)”. Texts in the inputs of its nodes may hold `{{ expression }}`,
 *   JSONata over the job. `$file(reference)` sends a file, and `seed` is the job's own number.
 * - `output_node`: the id of the node whose files are the result; else the last one that saves something.
 */
export const comfyUiOptions = z
  .strictObject({
    workflow: z.pipe(
      z
        .record(z.string(), z.unknown())
        .check(z.refine((given) => !Array.isArray(given['nodes']), EDITOR_FORMAT_MESSAGE)),
      z.record(z.string(), node),
    ),
    output_node: z.optional(z.string()),
  })
  .check(
    z.refine(({ workflow, output_node }) => output_node === undefined || output_node in workflow, {
      path: ['output_node'],
      message: 'must be the id of a node of the workflow',
    }),
  );
