import type { ComfyUiWorkflow } from '../comfyui/compile-workflow.ts';

/**
 * Appends a mark to the names of saved files, by which a job is found again: Comfy Cloud takes no id and no idempotency
 * key with a prompt.
 */
export const markOutputs = (workflow: ComfyUiWorkflow, mark: string): ComfyUiWorkflow =>
  Object.fromEntries(
    Object.entries(workflow).map(([id, node]) => {
      const prefix = node.inputs['filename_prefix'];
      if (typeof prefix !== 'string') return [id, node];
      return [id, { ...node, inputs: { ...node.inputs, filename_prefix: `${prefix}-${mark}` } }];
    }),
  );
