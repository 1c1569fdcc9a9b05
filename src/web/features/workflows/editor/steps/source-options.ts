import { isTaskId, TASKS } from '#contract/catalog.ts';
import type { FieldSpec, MediaKind } from '#contract/task.ts';
import type { SelectOption } from '#web/ui/select.tsx';
import type { EditorInput, EditorState, EditorStep } from '../editor-state.ts';
import { type ValueSource, parseSource, formatSource, wholeExpression } from '../expressions.ts';
import { type InputKind, detectInputKind, inputMediaKind, inputTitle } from '../inputs/input-kinds.ts';

const COMPATIBLE_INPUT_KINDS = {
  text: ['text', 'choice', 'number'],
  choice: ['choice', 'text', 'number'],
  number: ['number', 'choice'],
  integer: ['number', 'choice'],
  boolean: ['boolean'],
  datetime: ['date'],
  size: ['text', 'choice'],
  group: [],
  rows: [],
  list: [],
  reference: ['file'],
  references: ['file', 'files'],
} as const satisfies Record<FieldSpec['kind'], readonly InputKind[]>;

const isCompatible = (field: FieldSpec, { property }: EditorInput): boolean => {
  const kind = detectInputKind(property);
  const compatible: readonly InputKind[] = COMPATIBLE_INPUT_KINDS[field.kind];
  return (
    kind !== null && compatible.includes(kind) && (!('media' in field) || inputMediaKind(property) === field.media)
  );
};

export const outputMediaKind = ({ task }: Pick<EditorStep, 'task'>): MediaKind | null =>
  isTaskId(task) && TASKS[task].output.max_assets !== 0 ? TASKS[task].media_type : null;

const hasSeveralOutputs = ({ task, for_each }: EditorStep) => for_each !== null || task === 'video.split_scenes';

export const iteratesPosts = ({ for_each }: Pick<EditorStep, 'for_each'>) =>
  for_each !== null && for_each.endsWith('.output.data.videos');

export const FIXED_SOURCE = 'fixed';
export const LIST_SOURCE = 'list';
export const EXPRESSION_SOURCE = 'expression';
export const NO_SOURCE = 'none';

const sourceText = (source: Exclude<ValueSource, { kind: 'fixed' }>) =>
  wholeExpression(formatSource(source)) ?? NO_SOURCE;

export const optionToValue = (option: string): string => `{{ ${option} }}`;

export function valueToOption(value: unknown): string {
  if (Array.isArray(value) && value.some((item) => wholeExpression(item) !== null)) return LIST_SOURCE;
  const source = parseSource(value);
  if (source.kind === 'fixed' || source.kind === 'none') return source.kind;
  return source.kind === 'expression' ? EXPRESSION_SOURCE : sourceText(source);
}

type Options = SelectOption<string>[];

function itemOptions(field: FieldSpec, step: EditorStep): Options {
  if (step.for_each === null) return [];
  const group = 'Current item';
  if (iteratesPosts(step))
    return field.kind === 'text' ? [{ value: 'item.caption', label: 'Post caption', group }] : [];
  return 'media' in field || field.kind === 'text' ? [{ value: 'item', label: 'Item', group }] : [];
}

function stepOptions(field: FieldSpec, state: EditorState, step: EditorStep, single: boolean): Options {
  if (!('media' in field)) return [];
  const before = state.steps.slice(
    0,
    Math.max(
      0,
      state.steps.findIndex(({ id }) => id === step.id),
    ),
  );
  const group = 'Earlier steps';
  return before
    .filter((each) => outputMediaKind(each) === field.media)
    .flatMap((each) => {
      const name = each.name || each.key;
      const first = { value: `steps.${each.key}.output.assets[0]`, label: `First file of “${name}”`, group };
      const all = { value: `steps.${each.key}.output.assets`, label: `All files of “${name}”`, group };
      return field.kind === 'reference' || single || !hasSeveralOutputs(each) ? [first] : [first, all];
    });
}

/** @param single for one item of a list of files */
export function sourceOptions(field: FieldSpec, state: EditorState, step: EditorStep, single = false): Options {
  const inputs = state.inputs
    .filter((input) => isCompatible(field, input) && !(single && detectInputKind(input.property) === 'files'))
    .map((input) => ({
      value: `input.${input.key}`,
      label: `“${inputTitle(input)}”`,
      group: 'Inputs',
    }));
  return [...inputs, ...stepOptions(field, state, step, single), ...itemOptions(field, step)];
}

/** Returns the initial fixed value: the field's default, or the nearest valid value. */
export function defaultFixedValue(field: FieldSpec): unknown {
  if (field.kind === 'text') return '';
  if (field.kind === 'choice') return field.default ?? field.options[0] ?? null;
  if (field.kind === 'number' || field.kind === 'integer') return field.default ?? field.min;
  if (field.kind === 'boolean') return field.default;
  return field.kind === 'references' || field.kind === 'rows' || field.kind === 'list' ? [] : null;
}

export const isRequiredField = (field: FieldSpec): boolean =>
  ('required' in field && field.required === true) ||
  ((field.kind === 'choice' || field.kind === 'size') && field.default === undefined);

/** Suggests sources for required fields: the files of the latest matching step, or the first text input. */
export function suggestInput(fields: readonly FieldSpec[], state: EditorState, step: EditorStep): EditorStep['input'] {
  const filled = fields.filter(isRequiredField).map((field) => {
    const options = sourceOptions(field, state, step);
    const from =
      'media' in field ? (options.findLast(({ value }) => value.startsWith('steps.')) ?? options[0]) : options[0];
    return [field.name, from ? optionToValue(from.value) : defaultFixedValue(field)];
  });
  return Object.fromEntries(filled) as EditorStep['input'];
}
