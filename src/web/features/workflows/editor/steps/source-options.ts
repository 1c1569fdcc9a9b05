import { isTaskId, TASKS } from '#contract/catalog.ts';
import type { Field, MediaKind } from '#contract/task.ts';
import type { SelectOption } from '#web/ui/select.tsx';
import type { EditorInput, EditorState, EditorStep } from '../editor-state.ts';
import { type Source, sourceOf, valueFrom, wholeExpression } from '../expressions.ts';
import { type InputKind, kindOf, mediaOf, titleOf } from '../inputs/input-kinds.ts';

/** Which inputs of a run can fill a field of a task. */
const FITTING = {
  text: ['text', 'choice', 'number'],
  choice: ['choice', 'text', 'number'],
  number: ['number', 'choice'],
  integer: ['number', 'choice'],
  boolean: ['boolean'],
  datetime: ['date'],
  reference: ['medium'],
  references: ['medium', 'media'],
} as const satisfies Record<Field['kind'], readonly InputKind[]>;

const fits = (field: Field, { property }: EditorInput): boolean => {
  const kind = kindOf(property);
  const fitting: readonly InputKind[] = FITTING[field.kind];
  return kind !== null && fitting.includes(kind) && (!('media' in field) || mediaOf(property) === field.media);
};

/** The kind of files that a step makes; null where it makes none. */
export const makes = ({ task }: Pick<EditorStep, 'task'>): MediaKind | null =>
  isTaskId(task) && TASKS[task].output.max_assets !== 0 ? TASKS[task].media_type : null;

const makesSeveral = ({ task, for_each }: EditorStep) => for_each !== null || task === 'video.split_scenes';

/** Whether a step goes through the posts that a search found. */
export const goesThroughPosts = ({ for_each }: Pick<EditorStep, 'for_each'>) =>
  for_each !== null && for_each.endsWith('.output.data.videos');

export const FIXED = 'fixed';
export const LIST = 'list';
export const EXPRESSION = 'expression';
export const NONE = 'none';

const textOf = (source: Exclude<Source, { kind: 'fixed' }>) => wholeExpression(valueFrom(source)) ?? NONE;

/** What takes the place of a value that is not written by hand, by what stands in the select. */
export const valueOfOption = (option: string): string => `{{ ${option} }}`;

/** The option that a value stands for. */
export function optionOf(value: unknown): string {
  if (Array.isArray(value) && value.some((item) => wholeExpression(item) !== null)) return LIST;
  const source = sourceOf(value);
  if (source.kind === 'fixed' || source.kind === 'none') return source.kind;
  return source.kind === 'expression' ? EXPRESSION : textOf(source);
}

type Options = SelectOption<string>[];

function itemOptions(field: Field, step: EditorStep): Options {
  if (step.for_each === null) return [];
  const group = 'From the list it goes through';
  if (goesThroughPosts(step))
    return field.kind === 'text' ? [{ value: 'item.caption', label: 'The caption of the post', group }] : [];
  return 'media' in field || field.kind === 'text' ? [{ value: 'item', label: 'The item itself', group }] : [];
}

function stepOptions(field: Field, state: EditorState, step: EditorStep, single: boolean): Options {
  if (!('media' in field)) return [];
  const before = state.steps.slice(
    0,
    Math.max(
      0,
      state.steps.findIndex(({ id }) => id === step.id),
    ),
  );
  const group = 'From steps before it';
  return before
    .filter((each) => makes(each) === field.media)
    .flatMap((each) => {
      const name = each.name || each.key;
      const first = { value: `steps.${each.key}.output.assets[0]`, label: `What “${name}” made`, group };
      const all = { value: `steps.${each.key}.output.assets`, label: `All that “${name}” made`, group };
      return field.kind === 'reference' || single || !makesSeveral(each) ? [first] : [first, all];
    });
}

/**
 * What a field of a step may take its value from, by pointing.
 * @param single one item of a list of files
 */
export function sourceOptions(field: Field, state: EditorState, step: EditorStep, single = false): Options {
  const inputs = state.inputs
    .filter((input) => fits(field, input) && !(single && kindOf(input.property) === 'media'))
    .map((input) => ({ value: `input.${input.key}`, label: `“${titleOf(input)}”`, group: 'From what a run asks for' }));
  return [...inputs, ...stepOptions(field, state, step, single), ...itemOptions(field, step)];
}

/** What is written by hand when that is chosen: as an untouched form holds it, or the nearest that is possible. */
export function handWritten(field: Field): unknown {
  if (field.kind === 'text') return '';
  if (field.kind === 'choice') return field.default ?? field.options[0] ?? null;
  if (field.kind === 'number' || field.kind === 'integer') return field.default ?? field.min;
  if (field.kind === 'boolean') return field.default;
  return field.kind === 'references' ? [] : null;
}

/** Whether a field must be filled in. */
export const isNeeded = (field: Field): boolean =>
  ('required' in field && field.required === true) || (field.kind === 'choice' && field.default === undefined);

/** What a new step takes from what is there already: files from the last step that makes such, words from the first text. */
export function suggestedInput(fields: readonly Field[], state: EditorState, step: EditorStep): EditorStep['input'] {
  const filled = fields.filter(isNeeded).map((field) => {
    const options = sourceOptions(field, state, step);
    const from =
      'media' in field ? (options.findLast(({ value }) => value.startsWith('steps.')) ?? options[0]) : options[0];
    return [field.name, from ? valueOfOption(from.value) : handWritten(field)];
  });
  return Object.fromEntries(filled) as EditorStep['input'];
}
