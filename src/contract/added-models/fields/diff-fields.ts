import { isRequired } from '#contract/parse-input.ts';
import { type FieldSpec, fieldDefault, type MediaKind, type NestedFieldSpec } from '#contract/task.ts';
import { cleanText } from './describe-field.ts';
import { canonicalJson } from '#contract/added-models/schema-hash.ts';

/** What a newer schema of a model changes, for administrators. */
export interface ModelChange {
  kind:
    | 'added'
    | 'removed'
    | 'required'
    | 'options'
    | 'bounds'
    | 'media'
    | 'value_kind'
    | 'default'
    | 'constant'
    | 'output'
    | 'price'
    | 'other';
  /** Dotted for those inside of groups and rows; null for what is no field. */
  field: string | null;
  /** A sentence. */
  message: string;
  /** Inputs that were valid are not any more, or no longer mean the same: the older form does not fit. */
  breaks: boolean;
}

const KIND_NOUNS: Readonly<Record<FieldSpec['kind'], string>> = {
  text: 'a text',
  choice: 'a choice',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'on or off',
  size: 'a size',
  group: 'a group of fields',
  rows: 'rows of fields',
  list: 'a list',
  json: 'JSON',
  datetime: 'a time',
  reference: 'one file',
  references: 'several files',
};
const MEDIA_NOUNS: Readonly<Record<MediaKind, string>> = { image: 'images', video: 'videos', audio: 'audio' };

const MAX_LISTED = 5;

export function listNames(names: readonly (string | number)[]): string {
  const shown = names.slice(0, MAX_LISTED).map((name) => cleanText(String(name), 60));
  const rest = names.length - shown.length;
  const all = rest > 0 ? [...shown, `${rest} more`] : shown;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

interface Range {
  min: number | null;
  max: number | null;
  exclusive_min?: true | undefined;
  exclusive_max?: true | undefined;
}

function describeRange({ min, max, exclusive_min, exclusive_max }: Range): string {
  if (min !== null && max !== null && !exclusive_min && !exclusive_max) return `${min} to ${max}`;
  const lower = min === null ? [] : [exclusive_min ? `more than ${min}` : `at least ${min}`];
  const upper = max === null ? [] : [exclusive_max ? `less than ${max}` : `at most ${max}`];
  return lower.length + upper.length === 0 ? 'any number' : [...lower, ...upper].join(' and ');
}

const isAbove = (one: number | null, other: number | null, isExclusive: boolean): boolean =>
  one !== null && (other === null || one > other || (one === other && isExclusive));

const isNarrower = (before: Range, after: Range): boolean =>
  isAbove(after.min, before.min, after.exclusive_min === true && !before.exclusive_min) ||
  isAbove(negate(after.max), negate(before.max), after.exclusive_max === true && !before.exclusive_max);
const negate = (bound: number | null): number | null => (bound === null ? null : -bound);

/** A list that may be empty has no smaller number of items than one. */
const itemRange = ({ min_items, max_items }: { min_items: number; max_items: number }): Range => ({
  min: Math.max(1, min_items),
  max: max_items,
});

/** The numbers that bound a field's value, and what they count; null for a field without any. */
function rangeOf(field: FieldSpec): { range: Range; noun: string } | null {
  switch (field.kind) {
    case 'number':
    case 'integer':
      return { range: field, noun: '' };
    case 'text':
      return { range: { min: field.min_length, max: field.max_length }, noun: ' characters' };
    case 'size':
      return { range: field, noun: ' pixels' };
    case 'references':
      return { range: itemRange(field), noun: ' files' };
    case 'list':
    case 'rows':
      return { range: itemRange(field), noun: ' items' };
    default:
      return null;
  }
}

const isMultiple = (value: number, of: number): boolean => Math.abs(value / of - Math.round(value / of)) < 1e-9;
const stepOf = (field: FieldSpec): number | undefined =>
  field.kind === 'size'
    ? field.step
    : field.kind === 'number' || field.kind === 'integer'
      ? field.multiple_of
      : undefined;

/** Whether every value of the older kind is one of the newer kind, within its bounds. */
const isWiderKind = (before: FieldSpec, after: FieldSpec): boolean =>
  (before.kind === 'integer' && after.kind === 'number') ||
  (before.kind === 'choice' &&
    after.kind === 'text' &&
    before.options.every((option) => typeof option === 'string' && option.length <= (after.max_length ?? Infinity)));

const isNullable = (field: FieldSpec): boolean => 'nullable' in field && field.nullable === true;
/** Whether a form can leave it empty; a default fills what is left out. */
const canBeEmpty = (field: FieldSpec): boolean =>
  !isRequired(field) && (isNullable(field) || field.kind === 'text' || 'min_items' in field);

/** @param sendsNull whether null is a value for the provider */
function diffPresence(before: FieldSpec, after: FieldSpec, sendsNull: boolean): [boolean, string] | null {
  if (isRequired(after) && !isRequired(before)) return [canBeEmpty(before), 'has to be set now'];
  if (isRequired(before) && !isRequired(after)) return [false, 'no longer has to be set'];
  return sendsNull && !isNullable(after) ? [true, 'can no longer be empty'] : null;
}

/** Compares a field of two schemas. @param name dotted, @param label “LoRAs: Scale” inside of groups and rows */
function diffField(
  before: FieldSpec,
  after: FieldSpec,
  { name = before.name, label = before.label, sends_null = false } = {},
): ModelChange[] {
  const changes: ModelChange[] = [];
  const add = (kind: ModelChange['kind'], breaks: boolean, text: string) =>
    void changes.push({ kind, field: name, message: `“${label}” ${text}.`, breaks });
  const presence = diffPresence(before, after, sends_null);
  if (presence) add('required', ...presence);
  if (before.kind !== after.kind) {
    const isWider = isWiderKind(before, after);
    add('value_kind', !isWider, `takes ${KIND_NOUNS[after.kind]} instead of ${KIND_NOUNS[before.kind]}`);
    if (!isWider || before.kind !== 'integer') return changes;
  }
  const [older, newer] = [rangeOf(before), rangeOf(after)];
  if (older && newer && describeRange(older.range) !== describeRange(newer.range)) {
    const text = `takes ${describeRange(newer.range)}${newer.noun} instead of ${describeRange(older.range)}`;
    add('bounds', isNarrower(older.range, newer.range), text);
  }
  const [step, newStep] = [stepOf(before), stepOf(after)];
  if (step !== newStep)
    add(
      'bounds',
      newStep !== undefined && !isMultiple(step ?? 1, newStep),
      newStep === undefined ? `no longer needs multiples of ${step}` : `takes multiples of ${newStep} only`,
    );
  if ('media' in before && 'media' in after && before.media !== after.media)
    add('media', true, `takes ${MEDIA_NOUNS[after.media]} instead of ${MEDIA_NOUNS[before.media]}`);
  const [mask, newMask] = [before, after].map((field) => (field.kind === 'reference' ? field.mask : undefined));
  if (mask?.of !== newMask?.of) add('media', false, newMask ? `is a mask of “${newMask.of}”` : 'is no longer a mask');
  else if (mask && newMask && mask.polarity !== newMask.polarity)
    add('media', true, `changes what is ${newMask.polarity} instead of ${mask.polarity}`);
  if ('options' in before && 'options' in after) {
    const without = (all: readonly (string | number)[], those: readonly (string | number)[]) => {
      const known = new Set(those);
      return all.filter((option) => !known.has(option));
    };
    const [lost, gained] = [without(before.options, after.options), without(after.options, before.options)];
    const [own, newOwn] = [before, after].map((field) => (field.kind === 'choice' ? (field.own_max_length ?? 0) : 0));
    const isCovered = newOwn !== undefined && newOwn > 0 && lost.every((option) => typeof option === 'string');
    if (lost.length > 0) add('options', !isCovered, `no longer offers ${listNames(lost)}`);
    if (gained.length > 0) add('options', false, `also offers ${listNames(gained)}`);
    if (own !== newOwn)
      add(
        'options',
        Number(newOwn) < Number(own),
        newOwn ? `accepts other texts of up to ${newOwn} characters` : 'no longer accepts other texts',
      );
  }
  const [preset, newPreset] = [fieldDefault(before), fieldDefault(after)];
  if (isShown(preset) && isShown(newPreset) && canonicalJson(preset) !== canonicalJson(newPreset))
    add('default', false, `starts with ${describeValue(newPreset)} instead of ${describeValue(preset)}`);
  if ('fields' in before && 'fields' in after) changes.push(...diffNested(before.fields, after.fields, name, label));
  if (before.kind === 'list' && after.kind === 'list')
    changes.push(...diffField(before.item, after.item, { name, label: `${label}: each` }));
  return changes;
}

const isShown = (value: unknown): boolean => value !== undefined && value !== null;
const describeValue = (value: unknown): string =>
  cleanText(typeof value === 'string' ? value : JSON.stringify(value), 60) || 'nothing';

const diffNested = (
  before: readonly NestedFieldSpec[],
  after: readonly NestedFieldSpec[],
  name: string,
  label: string,
): ModelChange[] => diffFieldLists(before, after, { path: `${name}.`, prefix: `${label}: `, sends_null: [] });

/** Compares the fields of two schemas by their names. @param path of the fields, @param prefix of their labels */
export function diffFieldLists(
  before: readonly FieldSpec[],
  after: readonly FieldSpec[],
  { path, prefix, sends_null }: { path: string; prefix: string; sends_null: readonly string[] },
): ModelChange[] {
  const find = (fields: readonly FieldSpec[], name: string) => fields.find((field) => field.name === name);
  const known = before.flatMap((field): ModelChange[] => {
    const [name, label] = [path + field.name, prefix + field.label];
    const newer = find(after, field.name);
    if (newer) return diffField(field, newer, { name, label, sends_null: sends_null.includes(name) });
    return [{ kind: 'removed', field: name, message: `“${label}” no longer exists.`, breaks: true }];
  });
  const added = after
    .filter(({ name }) => !find(before, name))
    .map((field): ModelChange => {
      const breaks = isRequired(field);
      const message = `“${prefix + field.label}” is new${breaks ? ' and has to be set' : ''}.`;
      return { kind: 'added', field: path + field.name, message, breaks };
    });
  return [...known, ...added];
}
