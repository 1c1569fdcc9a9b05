import type { FieldSpec, InputContract } from '#contract/task.ts';
import { formatReferenceCount, optionLabel, withUnit } from '#web/forms/values/format-field-value.ts';
import { MEDIA_NOUNS } from '#web/media/format-media.ts';
import { formatOrList, formatNumber } from '#web/ui/formats.ts';

interface InputDescription {
  label: string;
  text: string;
}

type FieldDescriptions = { [K in FieldSpec['kind']]: (field: Extract<FieldSpec, { kind: K }>) => string };

const number = (field: Extract<FieldSpec, { kind: 'number' | 'integer' }>): string => {
  const { min, max, exclusive_min, exclusive_max, multiple_of, unit } = field;
  const minimum = min === null ? null : exclusive_min ? `more than ${formatNumber(min)}` : formatNumber(min);
  const maximum = max === null ? null : exclusive_max ? `less than ${formatNumber(max)}` : formatNumber(max);
  const steps = multiple_of === undefined ? '' : ` in steps of ${formatNumber(multiple_of)}`;
  if (minimum !== null && maximum !== null) return withUnit(`${minimum} to ${maximum}${steps}`, unit);
  if (minimum !== null) return withUnit(`${exclusive_min ? '' : 'from '}${minimum}${steps}`, unit);
  if (maximum === null) return withUnit(`any ${field.kind === 'integer' ? 'whole ' : ''}number${steps}`, unit);
  return withUnit(`${exclusive_max ? '' : 'up to '}${maximum}${steps}`, unit);
};

const countRange = (min: number, max: number): string => (min > 0 ? `${min} to ${max}` : `up to ${max}`);

const describeFields = (fields: readonly FieldSpec[]): string =>
  fields.map((field) => `${field.label.toLowerCase()} (${describeField(field)})`).join(', ');

const describeFieldByKind: FieldDescriptions = {
  text: ({ min_length, max_length }) => {
    const lower = min_length > 1 ? `${formatNumber(min_length)} to ` : 'up to ';
    return max_length === null ? 'any length' : `${lower}${formatNumber(max_length)} characters`;
  },
  choice: (field) => {
    const own = field.own_max_length === undefined ? '' : ', or another text';
    return field.unit
      ? withUnit(formatOrList(field.options.map(String)), field.unit) + own
      : field.options.map((option) => optionLabel(field, option)).join(', ') + own;
  },
  number,
  integer: number,
  boolean: (field) => (field.default === null ? 'on or off' : `on or off, default ${field.default ? 'on' : 'off'}`),
  datetime: () => 'any date and time',
  size: ({ options, min, max }) =>
    [...options, `${formatNumber(min)} to ${formatNumber(max)} pixels wide and high`].join(', '),
  group: ({ fields }) => describeFields(fields),
  rows: ({ fields, min_items, max_items }) => `${countRange(min_items, max_items)} of ${describeFields(fields)}`,
  list: ({ item, min_items, max_items }) => `${countRange(min_items, max_items)}: ${describeField(item)}`,
  json: ({ keys }) => `JSON with ${keys.join(', ')}`,
  reference: ({ media, required }) =>
    required ? `one ${MEDIA_NOUNS[media][0]}` : `one ${MEDIA_NOUNS[media][0]}, optional`,
  references: ({ media, min_items, max_items }) =>
    min_items > 0
      ? `${min_items} to ${formatReferenceCount(media, max_items)}`
      : `up to ${formatReferenceCount(media, max_items)}`,
};

function describeField<F extends FieldSpec>(field: F): string {
  // The table is exhaustive, but the compiler cannot connect a key to its entry inside a generic function.
  return (describeFieldByKind[field.kind] as (field: F) => string)(field);
}

export function describeInputs({ fields, rules }: InputContract): { rows: InputDescription[]; rules: string[] } {
  return {
    rows: fields.map((field) => ({ label: field.label, text: describeField(field) })),
    rules: rules.map(({ message }) => message),
  };
}
