import type { ModelChoice } from '#contract/resources/provider.ts';
import type { Rule } from '#contract/task.ts';
import { type PreparedWorkflow, prepareWorkflow } from './titled-workflow.ts';
import { WorkflowError } from './parse-workflow.ts';
import { configurationError } from '#server/models/engine/engine.ts';
import { workflowRestrictions } from './workflow-restrictions.ts';

const PROMPT_HINT =
  'The workflow has no place for the prompt. In ComfyUI, give the node that holds it the title “prompt” and export again.';
const IMAGE_HINT =
  'The workflow has no place for the image. In ComfyUI, give a Load Image node the title “image_1” and export again.';

/** @returns a sentence about a workflow that cannot be used; null if it can */
export function validateWorkflow({ task, workflow }: ModelChoice): string | null {
  try {
    const { words } = prepareWorkflow(workflow ?? '');
    if (!words.has('prompt')) return PROMPT_HINT;
    const takes_image = words.has('image_1') || words.has('references') || words.has('images');
    return task === 'image.edit' && !takes_image ? IMAGE_HINT : null;
  } catch (error) {
    if (error instanceof WorkflowError) return error.message;
    throw error;
  }
}

/** The workflow of a choice. One that was stored by another version fails its jobs, not the connection. */
export function readWorkflow({ workflow }: ModelChoice): Pick<PreparedWorkflow, 'build' | 'output_node'> {
  const prepared = prepareOrNull(workflow);
  if (prepared) return prepared;
  const reject = () => Promise.reject(configurationError('The workflow of this model is missing or not valid.'));
  return { build: reject, output_node: undefined };
}

export function restrictToWorkflow({ task, model, workflow }: ModelChoice): readonly Rule[] {
  const prepared = prepareOrNull(workflow);
  return prepared ? workflowRestrictions(task, model, prepared) : [];
}

function prepareOrNull(workflow: string | undefined): PreparedWorkflow | null {
  if (workflow === undefined) return null;
  try {
    return prepareWorkflow(workflow);
  } catch (error) {
    if (error instanceof WorkflowError) return null;
    throw error;
  }
}
