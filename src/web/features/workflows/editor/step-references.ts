import { isTaskId, TASKS } from '#contract/catalog.ts';
import type { FieldSpec, MediaKind } from '#contract/task.ts';
import type { SelectOption } from '#web/ui/controls/select.tsx';
import { initialValue } from '#web/forms/values/form-values.ts';
import { toPlaceholder, wholeExpression } from './expressions.ts';
import { detectInputKind, type InputKind, inputMediaKind, inputTitle } from './inputs/input-kinds.ts';
import type { StarterStep, StarterValues } from './starter-values.ts';

/** A value of a run under the name that people gave its input or step. */
export interface Reference {
  expression: string;
  label: string;
  group: 'Inputs' | 'Earlier steps' | 'Current item';
  /** Null for an item of a list, which can be of any kind. */
  kind: InputKind | null;
  media: MediaKind | null;
}

type Parts = Pick<StarterValues, 'inputs' | 'steps'>;

const COMPATIBLE_KINDS = {
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
  json: [],
  reference: ['file'],
  references: ['file', 'files'],
} as const satisfies Record<FieldSpec['kind'], readonly InputKind[]>;

export function fitsField(field: FieldSpec, { kind, media }: Reference): boolean {
  if (kind === null) return 'media' in field || field.kind === 'text';
  const kinds: readonly InputKind[] = COMPATIBLE_KINDS[field.kind];
  return kinds.includes(kind) && (!('media' in field) || media === field.media);
}

const MEDIA_LABELS = {
  image: { one: 'Image', many: 'images' },
  video: { one: 'Video', many: 'videos' },
  audio: { one: 'Sound', many: 'sounds' },
} satisfies Record<MediaKind, { one: string; many: string }>;

const outputMediaKind = ({ task }: StarterStep): MediaKind | null =>
  isTaskId(task) && TASKS[task].output.max_assets !== 0 ? TASKS[task].media_type : null;

const postsOf = (key: string) => `steps.${key}.output.data.videos`;

/** @param offersAll also all files of steps that usually have one */
export function stepReferences(steps: readonly StarterStep[], offersAll = false): Reference[] {
  return steps.flatMap((step): Reference[] => {
    const media = outputMediaKind(step);
    if (media === null) return [];
    const name = step.name || step.key;
    const { one, many } = MEDIA_LABELS[media];
    const expression = `steps.${step.key}.output.assets`;
    const common = { group: 'Earlier steps', media } as const;
    const first: Reference = { ...common, kind: 'file', expression: `${expression}[0]`, label: `${one} from ${name}` };
    if (step.for_each === null && step.task !== 'video.split_scenes' && !offersAll) return [first];
    return [
      { ...first, label: `First ${one.toLowerCase()} from ${name}` },
      { ...common, kind: 'files', expression, label: `All ${many} from ${name}` },
    ];
  });
}

function itemReferences({ for_each }: StarterStep): Reference[] {
  if (for_each === null) return [];
  const common = { group: 'Current item', media: null } as const;
  return [
    for_each.endsWith('.output.data.videos')
      ? { ...common, kind: 'text', expression: 'item.caption', label: 'Post caption' }
      : { ...common, kind: null, expression: 'item', label: 'Current item' },
    { ...common, kind: 'number', expression: 'index + 1', label: 'Item number' },
  ];
}

/** Returns what a step can use: inputs, files of earlier steps, and the item of a repeat. */
export function availableReferences({ inputs, steps }: Parts, at: number): Reference[] {
  const step = steps[at];
  return [
    ...inputs.flatMap((input): Reference[] => {
      const kind = detectInputKind(input.property);
      const media = inputMediaKind(input.property);
      return kind ? [{ expression: `input.${input.key}`, label: inputTitle(input), group: 'Inputs', kind, media }] : [];
    }),
    ...stepReferences(steps.slice(0, at)),
    ...(step ? itemReferences(step) : []),
  ];
}

export const isExpression = (value: unknown): value is string => typeof value === 'string' && value.includes('{{');

/** Returns the reference that a value or placeholder is; "Expression" for one of its own, undefined for other values. */
export function readReference(value: unknown, references: readonly Reference[]): Pick<Reference, 'label'> | undefined {
  const expression = wholeExpression(value);
  if (expression === null) return undefined;
  // In brackets, one file is a list too.
  const bare = expression.replace(/^\[(.*)\]$/, '$1');
  return references.find((reference) => reference.expression === bare) ?? { label: 'Expression' };
}

export const isRequiredField = (field: FieldSpec): boolean =>
  ('required' in field && field.required === true) ||
  ((field.kind === 'choice' || field.kind === 'size') && field.default === undefined);

/** Returns a fixed value that the task accepts, for a required field. */
export function fixedValue(field: FieldSpec): unknown {
  if (field.kind === 'choice') return field.default ?? field.options[0] ?? null;
  if (field.kind === 'number' || field.kind === 'integer') return field.default ?? field.min ?? 0;
  return initialValue(field) ?? null;
}

/** Suggests values for required fields: the file of the latest matching step, or the first text input. */
export function suggestInput(fields: readonly FieldSpec[], parts: Parts, at: number): StarterStep['input'] {
  const references = availableReferences(parts, at);
  const values = fields.filter(isRequiredField).map((field) => {
    const fitting = references.filter((reference) => fitsField(field, reference));
    const ofStep = fitting.findLast(({ group }) => 'media' in field && group === 'Earlier steps');
    const suggested = ofStep ?? fitting[0];
    return [field.name, suggested ? toPlaceholder(suggested.expression) : fixedValue(field)] as const;
  });
  return Object.fromEntries(values);
}

export function conditionOptions({ inputs }: Parts): SelectOption<string>[] {
  return inputs.flatMap((input) => {
    const { key, property, required } = input;
    const kind = detectInputKind(property);
    if (kind === 'boolean') return [{ value: `input.${key}`, label: `If “${inputTitle(input)}” is on` }];
    const isOptionalFile = (kind === 'file' || kind === 'files') && !required;
    return isOptionalFile ? [{ value: `$boolean(input.${key})`, label: `If “${inputTitle(input)}” is provided` }] : [];
  });
}

export function listOptions({ inputs, steps }: Parts, at: number): SelectOption<string>[] {
  return [
    ...inputs
      .filter(({ property }) => detectInputKind(property) === 'files')
      .map((input) => ({ value: `input.${input.key}`, label: `For each file in “${inputTitle(input)}”` })),
    ...steps.slice(0, at).flatMap((step) => {
      const name = step.name || step.key;
      if (step.task === 'social.search') return [{ value: postsOf(step.key), label: `For each post from “${name}”` }];
      const value = `steps.${step.key}.output.assets`;
      return outputMediaKind(step) ? [{ value, label: `For each file from “${name}”` }] : [];
    }),
  ];
}
