import type { ModelChoice } from '#contract/resources/provider.ts';
import { type Rule, type FieldSpec, fieldDefault, type Scalar } from '#contract/task.ts';
import { type PreparedWorkflow, prepareWorkflow } from './titled-workflow.ts';
import { WorkflowError } from './parse-workflow.ts';
import { INVALID_WORKFLOW, type WorkflowRun } from './workflow-builder.ts';
import { inputContract } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { maxItems, onlyValues } from '#server/models/providers/preset.ts';

const PROMPT_HINT =
  'The workflow has no place for the prompt. In ComfyUI, give the node that holds it the title “prompt” and export again.';
const IMAGE_HINT =
  'The workflow has no place for the image. In ComfyUI, give a Load Image node the title “image_1” and export again.';

/** @returns a sentence about a workflow that cannot be used; null if it can */
export function validateWorkflow({ task, workflow }: ModelChoice): string | null {
  try {
    const { words } = prepareWorkflow(workflow ?? '');
    if (!words.has('prompt')) return PROMPT_HINT;
    const takesImage = words.has('image_1') || words.has('references') || words.has('images');
    return task === 'image.edit' && !takesImage ? IMAGE_HINT : null;
  } catch (error) {
    if (error instanceof WorkflowError) return error.message;
    throw error;
  }
}

/** The workflow of a choice. One that was stored by another version fails its jobs, not the connection. */
export function readWorkflow({ workflow }: ModelChoice): WorkflowRun {
  const prepared = prepareOrNull(workflow);
  return prepared ? { buildWorkflow: prepared.build, output_node: prepared.output_node } : INVALID_WORKFLOW;
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

/** Words of a workflow that take a field whose own name they are not. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  aspect_ratio: ['width', 'height'],
  resolution: ['width', 'height'],
  duration_seconds: ['frames'],
};

/** Options and references that a workflow has no place for. */
function workflowRestrictions(task: TaskId, model: ModelId, { words }: Pick<PreparedWorkflow, 'words'>): Rule[] {
  const fields = inputContract(task, model)?.fields ?? [];
  return fields.flatMap((field) => restrictField(field, words));
}

function restrictField(field: FieldSpec, words: ReadonlySet<string>): Rule[] {
  const { name, label } = field;
  if (field.kind === 'text' || words.has(name)) return [];
  if (field.kind === 'reference' || field.kind === 'references') return restrictReferences(field, words);
  if (OTHER_WORDS[name]?.every((word) => words.has(word))) return [];
  const value = (fieldDefault(field) ?? null) as Scalar;
  return [onlyValues('prompt', name, [value], `This model’s workflow sets “${label}” itself.`)];
}

function restrictReferences(
  field: Extract<FieldSpec, { kind: 'reference' | 'references' }>,
  words: ReadonlySet<string>,
): Rule[] {
  const { name, label, media } = field;
  const none = `This model’s workflow has no place for “${label}”.`;
  if (field.kind === 'reference' && field.mask) return [onlyValues('prompt', name, [null], none)];
  if (words.has('references')) return [];
  const isFrame = name === 'first_frame' || name === 'last_frame';
  const places = isFrame ? 0 : countPlaces(media, words);
  if (field.kind === 'reference') return places > 0 ? [] : [onlyValues('prompt', name, [null], none)];
  if (places >= field.max_items) return [];
  const some = `This model’s workflow has ${places} ${places === 1 ? 'place' : 'places'} for “${label}”.`;
  return [maxItems('prompt', name, places, places === 0 ? none : some)];
}

/** How many nodes there are, counted from `image_1`. */
function countPlaces(media: string, words: ReadonlySet<string>): number {
  let count = 0;
  while (words.has(`${media}_${count + 1}`)) count += 1;
  return count;
}
