import type { ChoiceFieldSpec, FieldSpec, MediaKind, NestedFieldSpec } from '#contract/task.ts';
import { readList, readReferences, readRow } from './form-values.ts';
import { MEDIA_NOUNS } from '#web/media/format-media.ts';
import { formatNumber, lazily } from '#web/ui/formats.ts';

type Option = string | number | null | undefined;

export const withUnit = (text: string, unit: string | undefined) => {
  if (!unit) return text;
  return unit === '×' ? `${text}${unit}` : `${text} ${unit}`;
};

export function optionLabel(field: ChoiceFieldSpec, option: Option): string {
  const key = option === null || option === undefined ? '' : String(option);
  return field.option_labels?.[key] ?? (key === '' ? 'Not set' : withUnit(key, field.unit));
}

const dateFormat = lazily(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }));

export const formatReferenceCount = (media: MediaKind, count: number) =>
  `${count} ${MEDIA_NOUNS[media][count === 1 ? 0 : 1]}`;

const cut = (text: string) => (text.length > 40 ? `${text.slice(0, 40).trimEnd()}…` : text);

type FieldFormatters = { [K in FieldSpec['kind']]: (field: Extract<FieldSpec, { kind: K }>, value: unknown) => string };
const formatNumberValue = (field: Extract<FieldSpec, { kind: 'number' | 'integer' }>, value: unknown) =>
  typeof value === 'number' ? withUnit(formatNumber(value), field.unit) : (field.empty_label ?? 'Empty');
const formatReferencesValue = (field: { media: MediaKind }, value: unknown) =>
  formatReferenceCount(field.media, readReferences(value).length);

const FIELD_FORMATTERS: FieldFormatters = {
  text: (_field, value) =>
    value === null || value === undefined || value === '' ? 'Empty' : `“${cut(String(value))}”`,
  choice: (field, value) => optionLabel(field, value as Option),
  number: formatNumberValue,
  integer: formatNumberValue,
  boolean: (_field, value) => (typeof value === 'boolean' ? (value ? 'On' : 'Off') : 'Not set'),
  datetime: (_field, value) => (typeof value === 'string' ? dateFormat().format(new Date(value)) : 'Any time'),
  size: (field, value) => {
    if (typeof value === 'string') return field.option_labels?.[value] ?? value;
    const { width, height } = readRow(value);
    return width === undefined ? 'Not set' : `${String(width)} × ${String(height)}`;
  },
  group: ({ fields }, value) => formatRow(fields, value),
  rows: ({ fields }, value) =>
    readList(value)
      .map((row) => formatRow(fields, row))
      .join('; '),
  list: ({ item }, value) =>
    readList(value)
      .map((each) => formatFieldValue(item, each))
      .join(', '),
  json: (_field, value) => (value === null || value === undefined ? 'Empty' : cut(JSON.stringify(value))),
  reference: formatReferencesValue,
  references: formatReferencesValue,
};

const formatRow = (fields: readonly NestedFieldSpec[], value: unknown): string =>
  fields
    .filter(({ name }) => name in readRow(value))
    .map((field) => `${field.label} ${formatFieldValue(field, readRow(value)[field.name])}`)
    .join(', ');

export function formatFieldValue<F extends FieldSpec>(field: F, value: unknown): string {
  // The table is exhaustive by type; the compiler cannot connect a key to its entry inside a generic function.
  return (FIELD_FORMATTERS[field.kind] as (field: F, value: unknown) => string)(field, value);
}
