import type {
  GroupFieldSpec,
  ListFieldSpec,
  RowsFieldSpec,
  NestedFieldSpec,
  Size,
  SizeFieldSpec,
} from '#contract/task.ts';
import { isJson, type Json, property } from '#contract/json-value.ts';
import { fieldBase, fieldGroup, isFieldName, orderedNames, requiredNames } from './describe-field.ts';
import { type FieldReading, type FieldSource, isNullable, unreadable } from './field-reading.ts';
import { SCHEMA_LIMITS } from '#contract/added-models/schema-limits.ts';

const MAX_SIDE_PX = 16_384;

/** The schemas of the width and the height of an object that has nothing else; null for other objects. */
export function sizeProperties(schema: Json): { width: Json; height: Json } | null {
  const { properties } = schema;
  if (!isJson(properties) || Object.keys(properties).length !== 2) return null;
  const { width, height } = properties;
  const isSide = (side: unknown): side is Json =>
    isJson(side) && (side['type'] === 'integer' || side['type'] === 'number');
  return isSide(width) && isSide(height) ? { width, height } : null;
}

/** Pixels that both sides take. */
function sideBounds(sides: readonly Json[]): { min: number; max: number } {
  const bound = (side: Json, inclusive: string, exclusive: string, step: 1 | -1): number | null => {
    const [at, over] = [side[inclusive], side[exclusive]];
    if (typeof over === 'number') return over + step;
    if (typeof at !== 'number') return null;
    return over === true ? at + step : at;
  };
  const mins = sides.map((side) => bound(side, 'minimum', 'exclusiveMinimum', 1) ?? 1);
  const maxes = sides.map((side) => bound(side, 'maximum', 'exclusiveMaximum', -1) ?? MAX_SIDE_PX);
  return { min: Math.max(1, ...mins.map(Math.ceil)), max: Math.min(...maxes.map(Math.floor)) };
}

const isSize = (value: unknown): value is Size & Json =>
  isJson(value) && Number.isSafeInteger(value['width']) && Number.isSafeInteger(value['height']);

/** `landscape_16_9` → “Landscape 16:9”, `square_hd` → “Square HD” */
const sizeLabel = (option: string): string => {
  const words = option
    .replace(/_(\d+)_(\d+)$/, ' $1:$2')
    .replaceAll('_', ' ')
    .replace(/\bhd\b/i, 'HD');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** @param object the schema of an object with a width and a height */
export function readSize(
  { name, schema, required }: FieldSource,
  object: Json,
  names: readonly string[],
): SizeFieldSpec | string {
  const sides = sizeProperties(object);
  if (!sides) return 'It is no size.';
  const options = [...new Set(names)];
  const isTooLong = options.some((option) => option === '' || option.length > SCHEMA_LIMITS.option_characters);
  if (options.length > SCHEMA_LIMITS.options || isTooLong) return 'Its options are too many or too long.';
  const { min, max } = sideBounds([sides.width, sides.height]);
  if (min > max) return 'Its minimum is greater than its maximum.';
  const steps = [sides.width['multipleOf'], sides.height['multipleOf']];
  const [step] = steps;
  const { default: preset } = schema;
  const isPixels = (value: number) => value >= min && value <= max;
  const selected =
    typeof preset === 'string' && options.includes(preset)
      ? preset
      : isSize(preset) && isPixels(preset.width) && isPixels(preset.height)
        ? { width: preset.width, height: preset.height }
        : undefined;
  const labels = options.filter((option) => option.includes('_')).map((option) => [option, sizeLabel(option)]);
  return {
    ...fieldBase(name, schema, required ? 'shape' : fieldGroup(name, false)),
    kind: 'size',
    options,
    min,
    max,
    ...(typeof step === 'number' && Number.isSafeInteger(step) && step > 0 ? { step } : {}),
    ...(selected !== undefined
      ? { default: selected, ...(isNullable(schema) ? { nullable: true } : {}) }
      : required
        ? {}
        : { nullable: true, default: null }),
    ...(labels.length > 0 ? { option_labels: Object.fromEntries(labels) as Record<string, string> } : {}),
  };
}

/** Reads a property of an object. */
type ReadField = (source: FieldSource) => FieldReading;
type Nested = NonNullable<Extract<FieldReading, { kind: 'field' }>['nested']>;
type NestedFields = { fields: NestedFieldSpec[]; nested: Nested } | string;

const NESTED_KINDS = ['text', 'choice', 'number', 'integer', 'boolean', 'list', 'reference', 'references'];
const isNested = (field: { kind: string }): field is NestedFieldSpec => NESTED_KINDS.includes(field.kind);

/** Reads the properties of an object inside of a field. @param presets defaults that win over those of the properties */
function readNested(read: ReadField, { name: field, context }: FieldSource, schema: Json, presets: Json): NestedFields {
  const { properties, additionalProperties: others } = schema;
  if (!isJson(properties) || Object.keys(properties).length === 0)
    return others === undefined || others === false
      ? 'It is an object without properties.'
      : 'It is an object of any properties.';
  const names = orderedNames(schema);
  if (names.length > SCHEMA_LIMITS.nested_fields) return `It has more than ${SCHEMA_LIMITS.nested_fields} properties.`;
  const required = requiredNames(schema);
  const sample: unknown = Array.isArray(context.example) ? context.example[0] : context.example;
  const fields: NestedFieldSpec[] = [];
  const nested: Nested[number][] = [];
  for (const name of names) {
    const own = properties[name];
    if (!isFieldName(name) || !isJson(own)) return 'It has a property with a name that no field can have.';
    const preset = Object.hasOwn(presets, name) ? { default: presets[name] } : {};
    const reading = read({
      name,
      schema: { ...own, ...preset },
      required: required.has(name),
      context: {
        ...context,
        example: property(sample, name),
        at: `${context.at}${field}.`,
      },
    });
    if (reading.kind === 'unreadable') return `“${name}” in it: ${reading.reason}`;
    nested.push([name, reading]);
    if (reading.kind === 'hidden') continue;
    if (!isNested(reading.field)) return `“${name}” in it holds objects.`;
    fields.push(reading.field);
  }
  return fields.length === 0 ? 'It holds constants only.' : { fields, nested };
}

export function readGroup(source: FieldSource, read: ReadField): FieldReading {
  const { name, schema, required } = source;
  const object = readNested(read, source, schema, isJson(schema['default']) ? schema['default'] : {});
  if (typeof object === 'string') return unreadable(object);
  const field: GroupFieldSpec = {
    ...fieldBase(name, schema, required ? 'main' : 'more'),
    kind: 'group',
    fields: object.fields,
    ...(required ? { required: true } : { nullable: true, default: null }),
  };
  return { kind: 'field', field, nested: object.nested };
}

function readCounts({ schema, required }: FieldSource, max: number) {
  const [least, most] = [Number(schema['minItems'] ?? 0), Number(schema['maxItems'] ?? max)];
  const max_items = Number.isSafeInteger(most) && most > 0 ? Math.min(most, max) : max;
  const min_items = required ? Math.min(Math.max(1, Number.isSafeInteger(least) ? least : 1), max_items) : 0;
  return { min_items, max_items, ...(required ? ({ required: true } as const) : {}) };
}

export function readRows(source: FieldSource, items: Json, read: ReadField): FieldReading {
  const { name, schema, required } = source;
  const object = readNested(read, source, items, {});
  if (typeof object === 'string') return unreadable(object);
  const counts = readCounts(source, SCHEMA_LIMITS.items);
  const preset = Array.isArray(schema['default']) ? schema['default'].filter(isJson) : [];
  const field: RowsFieldSpec = {
    ...fieldBase(name, schema, required ? 'main' : 'more'),
    kind: 'rows',
    fields: object.fields,
    ...counts,
    ...listPresence(source, preset, counts.max_items),
  };
  return { kind: 'field', field, nested: object.nested };
}

/** The default of a list, and whether it may be null. */
function listPresence<T>({ schema, required }: FieldSource, preset: readonly T[], max_items: number) {
  const nullable = isNullable(schema) ? ({ nullable: true } as const) : {};
  const isEmpty = Array.isArray(schema['default']) && schema['default'].length === 0;
  const isDefault = preset.length > 0 ? preset.length <= max_items : isEmpty && isNullable(schema);
  if (!required && isDefault) return { default: preset, ...nullable };
  return isNullable(schema) ? ({ default: null, ...nullable } as const) : {};
}

export function readList(source: FieldSource, item: ListFieldSpec['item']): ListFieldSpec {
  const { name, schema, required } = source;
  const counts = readCounts(source, SCHEMA_LIMITS.items);
  const isItem = (value: unknown): value is string | number =>
    item.kind === 'choice'
      ? item.options.some((option) => option === value)
      : typeof value === (item.kind === 'text' ? 'string' : 'number') && value !== '';
  const preset = Array.isArray(schema['default']) ? schema['default'].filter(isItem) : [];
  return {
    ...fieldBase(name, schema, required ? 'main' : fieldGroup(name, false)),
    kind: 'list',
    item,
    ...counts,
    ...listPresence(source, preset, counts.max_items),
  };
}
