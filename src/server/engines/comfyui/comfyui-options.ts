import * as z from 'zod/mini';

/**
 * What the operator says of one model in ComfyUI.
 * - `workflow`: as ComfyUI exports it with “Export (API)”. Texts in the inputs of its nodes may hold `{{ expression }}`,
 *   JSONata over the job. `$file(reference)` sends a file, and `seed` is the job's own number.
 * - `output_node`: the id of the node whose files are the result; else the last one that saves something.
 */
export const comfyUiOptions = z.strictObject({
  workflow: z.record(z.string(), z.looseObject({ class_type: z.string(), inputs: z.record(z.string(), z.unknown()) })),
  output_node: z.optional(z.string()),
});
