import type { ChoiceField, Field, MediaKind } from '#contract/task.ts';
import { referencesOf } from '#web/forms/input-values.ts';
import { formatNumber, lazily } from '#web/ui/formats.ts';

type Option = string | number | null | undefined;

export const withUnit = (text: string, unit: string | undefined) => {
  if (!unit) return text;
  return unit === '×' ? `${text}${unit}` : `${text} ${unit}`;
};

/** An option as a person reads it. */
export function optionLabel(field: ChoiceField, option: Option): string {
  const key = option === null || option === undefined ? '' : String(option);
  return field.option_labels?.[key] ?? (key === '' ? 'Not set' : withUnit(key, field.unit));
}

const date = lazily(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }));

/** "3 pictures": what a count of references is called. */
export const MEDIA_NOUNS = {
  image: ['picture', 'pictures'],
  video: ['video', 'videos'],
  audio: ['sound', 'sounds'],
} as const satisfies Record<MediaKind, readonly [one: string, many: string]>;

export const countOf = (media: MediaKind, count: number) => `${count} ${MEDIA_NOUNS[media][count === 1 ? 0 : 1]}`;

type Words = { [K in Field['kind']]: (field: Extract<Field, { kind: K }>, value: unknown) => string };
const number = (field: Extract<Field, { kind: 'number' | 'integer' }>, value: unknown) =>
  typeof value === 'number' ? withUnit(formatNumber(value), field.unit) : (field.empty_label ?? 'Empty');
const references = (field: { media: MediaKind }, value: unknown) => countOf(field.media, referencesOf(value).length);

const words: Words = {
  text: (_field, value) => {
    const text = String(value);
    return `“${text.length > 40 ? `${text.slice(0, 40).trimEnd()}…` : text}”`;
  },
  choice: (field, value) => optionLabel(field, value as Option),
  number,
  integer: number,
  boolean: (_field, value) => (value ? 'On' : 'Off'),
  datetime: (_field, value) => (typeof value === 'string' ? date().format(new Date(value)) : 'Any time'),
  reference: references,
  references,
};

/** A field's value in a few words. */
export function valueWords<F extends Field>(field: F, value: unknown): string {
  // The table is exhaustive by type; the compiler cannot tie a key to its own entry inside a generic.
  return (words[field.kind] as (field: F, value: unknown) => string)(field, value);
}
