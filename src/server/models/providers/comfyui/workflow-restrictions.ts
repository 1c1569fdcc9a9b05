import { inputContract } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { type FieldSpec, fieldDefault, type Rule, type Scalar } from '#contract/task.ts';
import type { PreparedWorkflow } from './titled-workflow.ts';
import { maxItems, onlyValues } from '#server/models/providers/preset.ts';

/** Words of a workflow that take a field whose own name they are not. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  aspect_ratio: ['width', 'height'],
  resolution: ['width', 'height'],
  duration_seconds: ['frames'],
};

/** Options and references that a workflow has no place for. */
export function workflowRestrictions(task: TaskId, model: ModelId, { words }: Pick<PreparedWorkflow, 'words'>): Rule[] {
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
  if (words.has('references')) return [];
  const { name, label, media } = field;
  const none = `This model’s workflow has no place for “${label}”.`;
  const is_frame = name === 'first_frame' || name === 'last_frame';
  const places = is_frame ? 0 : countPlaces(media, words);
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
