import * as z from 'zod/mini';
import { line } from '#contract/one-line.ts';
import { isJson } from '#contract/json-value.ts';
import type { FieldSpec, ListFieldSpec, NestedFieldSpec } from '#contract/task.ts';
import { WORKFLOW_KEY_PATTERN } from './workflow-definition.ts';
import {
  commonProperties,
  createFieldReader,
  type FieldReader,
  hasType,
  nullableTypeSchema,
} from './workflow-field-reader.ts';
import {
  booleanReader,
  choiceReader,
  numberReader,
  referenceReader,
  referencesReader,
  textReader,
} from './workflow-field-readers.ts';

const sizeSchema = z.strictObject({ width: z.int(), height: z.int() });

export const sizeReader = createFieldReader(
  (property) => 'x-size' in property,
  z.strictObject({
    ...commonProperties,
    'x-size': z.strictObject({
      minimum: z.int().check(z.gte(1)),
      maximum: z.int().check(z.lte(100_000)),
      step: z.optional(z.int().check(z.gte(1))),
    }),
    enum: z.optional(z.array(z.string()).check(z.maxLength(100))),
    default: z.optional(z.nullable(z.union([z.string(), sizeSchema]))),
    'x-labels': z.optional(z.record(z.string(), line(200))),
  }),
  (property, { base, required }) => {
    const {
      'x-size': { minimum, maximum, step },
      enum: options = [],
      default: preset,
    } = property;
    if (minimum > maximum) return 'The minimum is greater than the maximum.';
    if (typeof preset === 'string' && !options.includes(preset)) return 'The default must be one of the options.';
    const isOutside = (side: number) => side < minimum || side > maximum;
    if (typeof preset === 'object' && preset !== null && [preset.width, preset.height].some(isOutside))
      return 'The default is out of range.';
    if (preset === undefined && !required) return 'Add a default, or list it under “required”.';
    return {
      ...base,
      kind: 'size',
      group: property['x-group'] ?? 'shape',
      options,
      min: minimum,
      max: maximum,
      ...(step === undefined ? {} : { step }),
      ...(preset === undefined ? {} : { default: preset }),
      ...(preset === null ? { nullable: true } : {}),
      ...(property['x-labels'] ? { option_labels: property['x-labels'] } : {}),
    };
  },
);

const MAX_NESTED_FIELDS = 20;
const SIMPLE_READERS = [choiceReader, textReader, numberReader, booleanReader];
const isMedia = (property: unknown): boolean => isJson(property) && 'x-media' in property;

/** Lists and media are read inside of an object, not inside of a list. */
const nestedReaders = (): readonly FieldReader[] => [...SIMPLE_READERS, referenceReader, listReader, referencesReader];

function readNested(
  name: string,
  property: unknown,
  required: boolean,
  readers: readonly FieldReader[] = nestedReaders(),
): FieldSpec | string {
  const reader = isJson(property) ? readers.find(({ matches }) => matches(property)) : undefined;
  if (!reader || !isJson(property) || (reader === referenceReader && !isMedia(property)))
    return `“${name}” must be a text, number, boolean, choice, list or file.`;
  if (reader === referencesReader && !isMedia(property['items'])) return `“${name}” must not hold objects or lists.`;
  const read = reader.read({ name, property, required, path: name });
  return read.ok ? read.field : `“${name}”: ${read.problems[0]?.message ?? 'It is not valid.'}`;
}

/** The schema of an object of simple fields. */
const objectProperties = {
  properties: z.record(z.string().check(z.regex(WORKFLOW_KEY_PATTERN)), z.unknown()),
  required: z.optional(z.array(z.string())),
  additionalProperties: z.optional(z.literal(false)),
};

function readObject({ properties, required = [] }: z.output<z.ZodMiniObject<typeof objectProperties>>) {
  const names = Object.keys(properties);
  if (names.length === 0 || names.length > MAX_NESTED_FIELDS) return `It has 1 to ${MAX_NESTED_FIELDS} properties.`;
  const missing = required.find((name) => !names.includes(name));
  if (missing !== undefined) return `There is no property “${missing.slice(0, 80)}”.`;
  const fields = names.map((name) => readNested(name, properties[name], required.includes(name)));
  const problem = fields.find((field) => typeof field === 'string');
  // The readers make nothing else.
  return problem ?? (fields as NestedFieldSpec[]);
}

export const groupReader = createFieldReader(
  (property) => hasType(property, 'object') && 'properties' in property && !('x-media' in property),
  z.strictObject({ ...commonProperties, ...objectProperties, type: nullableTypeSchema('object') }),
  (property, { base, required }) => {
    if (required === Array.isArray(property.type))
      return 'An object is listed under “required”, or its type allows null.';
    const fields = readObject(property);
    if (typeof fields === 'string') return fields;
    const group = property['x-group'] ?? 'more';
    return { ...base, kind: 'group', group, fields, ...(required ? { required } : { nullable: true, default: null }) };
  },
);

const MAX_ITEMS = 100;
const listProperties = {
  ...commonProperties,
  type: z.literal('array'),
  minItems: z.optional(z.int().check(z.gte(0))),
  maxItems: z.optional(z.int().check(z.gte(1), z.lte(MAX_ITEMS))),
};

function readCounts({ minItems, maxItems = MAX_ITEMS }: { minItems?: number; maxItems?: number }, required: boolean) {
  const min_items = minItems ?? (required ? 1 : 0);
  if (min_items > maxItems) return 'The minimum number of items is greater than the maximum.';
  if (min_items > 0 && !required) return 'List it under “required”, or allow it to be empty.';
  return { min_items, max_items: maxItems, ...(required ? { required } : {}) };
}

export const rowsReader = createFieldReader(
  ({ type, items }) => type === 'array' && isJson(items) && 'properties' in items && !('x-media' in items),
  z.strictObject({ ...listProperties, items: z.strictObject({ ...objectProperties, type: z.literal('object') }) }),
  (property, { base, required }) => {
    const [counts, fields] = [readCounts(property, required), readObject(property.items)];
    if (typeof counts === 'string') return counts;
    return typeof fields === 'string'
      ? fields
      : { ...base, kind: 'rows', group: property['x-group'] ?? 'main', fields, ...counts };
  },
);

export const listReader = createFieldReader(
  ({ type, items }) => type === 'array' && isJson(items) && !('x-media' in items),
  z.strictObject({
    ...listProperties,
    items: z.record(z.string(), z.unknown()),
    default: z.optional(z.array(z.union([z.string(), z.number()])).check(z.maxLength(MAX_ITEMS))),
  }),
  (property, { base, required }) => {
    const counts = readCounts(property, required);
    if (typeof counts === 'string') return counts;
    const item = readNested('item', property.items, true, SIMPLE_READERS);
    if (typeof item === 'string') return item;
    if (item.kind === 'boolean') return 'Items are texts, numbers or options.';
    if (property.default && required) return 'A list with a default is not listed under “required”.';
    return {
      ...base,
      kind: 'list',
      group: property['x-group'] ?? 'main',
      item: item as ListFieldSpec['item'],
      ...counts,
      ...(property.default ? { default: property.default } : {}),
    };
  },
);

/** An object of any shape, written as JSON. `x-json` names its properties. */
export const jsonReader = createFieldReader(
  (property) => hasType(property, 'object') && 'x-json' in property,
  z.strictObject({
    ...commonProperties,
    type: nullableTypeSchema('object'),
    'x-json': z.array(z.string().check(z.minLength(1), z.maxLength(80))).check(z.minLength(1), z.maxLength(100)),
    default: z.optional(z.null()),
  }),
  (property, { base, required }) => {
    if (required === Array.isArray(property.type))
      return 'An object is listed under “required”, or its type allows null.';
    const keys = property['x-json'];
    const group = property['x-group'] ?? 'more';
    return { ...base, kind: 'json', group, keys, ...(required ? { required } : { nullable: true, default: null }) };
  },
);
