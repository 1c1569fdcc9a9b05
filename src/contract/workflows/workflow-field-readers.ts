import * as z from 'zod/mini';
import { line } from '#contract/one-line.ts';
import { commonProperties, createFieldReader, hasType, nullableTypeSchema } from './workflow-field-reader.ts';
import { MEDIA_KINDS } from '#contract/task.ts';

export const choiceReader = createFieldReader(
  (property) => 'enum' in property,
  z.strictObject({
    ...commonProperties,
    type: z.optional(z.enum(['string', 'number', 'integer'])),
    enum: z.array(z.union([z.string(), z.number()])).check(z.minLength(1), z.maxLength(100)),
    default: z.optional(z.nullable(z.union([z.string(), z.number()]))),
    'x-own': z.optional(z.int().check(z.gte(1), z.lte(5_000))),
    'x-labels': z.optional(z.record(z.string(), line(200))),
    'x-control': z.optional(z.literal('ratio')),
    'x-unit': z.optional(line(40)),
  }),
  (property, { base, required }) => {
    const { enum: options, default: preset } = property;
    const own = property['x-own'];
    const isOwn = typeof preset === 'string' && preset.length <= (own ?? 0);
    if (preset != null && !isOwn && !options.includes(preset)) return 'The default must be one of the options.';
    if (preset === undefined && !required) return 'Add a default, or list it under “required”.';
    return {
      ...base,
      kind: 'choice',
      group: property['x-group'] ?? 'shape',
      options,
      ...(preset === undefined ? {} : { default: preset }),
      ...(preset === null ? { nullable: true } : {}),
      ...(own === undefined ? {} : { own_max_length: own }),
      ...(property['x-labels'] ? { option_labels: property['x-labels'] } : {}),
      ...(property['x-control'] ? { control: property['x-control'] } : {}),
      ...(property['x-unit'] ? { unit: property['x-unit'] } : {}),
    };
  },
);

export const dateReader = createFieldReader(
  (property) => hasType(property, 'string') && property['format'] === 'date-time',
  z.strictObject({
    ...commonProperties,
    type: z.tuple([z.literal('string'), z.literal('null')]),
    format: z.literal('date-time'),
    default: z.optional(z.null()),
  }),
  (property, { base, required }) =>
    required
      ? 'A date is always optional: remove it from “required”.'
      : { ...base, kind: 'datetime', group: property['x-group'] ?? 'more', nullable: true, default: null },
);

export const textReader = createFieldReader(
  (property) => hasType(property, 'string'),
  z.strictObject({
    ...commonProperties,
    type: nullableTypeSchema('string'),
    default: z.optional(z.nullable(z.string())),
    minLength: z.optional(z.int().check(z.gte(0))),
    maxLength: z.optional(z.int().check(z.gte(1), z.lte(32_000))),
    examples: z.optional(z.array(z.string())),
    'x-multiline': z.optional(z.boolean()),
  }),
  (property, { base, required }) => {
    const { minLength = 1, maxLength = 5_000, examples } = property;
    const nullable = Array.isArray(property.type);
    const preset = property.default ?? undefined;
    if (required && preset !== undefined) return 'A text with a default is not listed under “required”.';
    if (preset === undefined && required === nullable)
      return 'A text is listed under “required”, has a default, or its type allows null.';
    if ((preset?.length ?? 0) > maxLength) return 'The default is too long.';
    if (minLength > maxLength) return 'The minimum length is greater than the maximum length.';
    return {
      ...base,
      kind: 'text',
      group: property['x-group'] ?? 'main',
      ...(required ? { required: true } : { ...(nullable ? { nullable: true } : {}), default: preset ?? null }),
      min_length: Math.max(1, minLength),
      max_length: maxLength,
      multiline: property['x-multiline'] ?? false,
      ...(examples?.[0] === undefined ? {} : { placeholder: examples[0] }),
    };
  },
);

export const numberReader = createFieldReader(
  (property) => hasType(property, 'number', 'integer'),
  z.strictObject({
    ...commonProperties,
    type: z.union([nullableTypeSchema('number'), nullableTypeSchema('integer')]),
    minimum: z.optional(z.number()),
    exclusiveMinimum: z.optional(z.number()),
    maximum: z.optional(z.number()),
    exclusiveMaximum: z.optional(z.number()),
    multipleOf: z.optional(z.number().check(z.gt(0))),
    default: z.optional(z.nullable(z.number())),
    'x-unit': z.optional(line(40)),
    'x-step': z.optional(z.number().check(z.gt(0))),
    'x-empty': z.optional(line(200)),
  }),
  (property, { base, required }) => {
    const min = property.minimum ?? property.exclusiveMinimum ?? 0;
    const { default: preset, multipleOf } = property;
    const max = property.maximum ?? property.exclusiveMaximum ?? null;
    const nullable = Array.isArray(property.type);
    if (max !== null && max < min) return 'The maximum is less than the minimum.';
    if (typeof preset === 'number' && (preset < min || (max !== null && preset > max)))
      return 'The default is out of range.';
    if (preset === null && !nullable) return 'A default of null needs a type that allows null.';
    if (preset === undefined && !nullable && !required) return 'Add a default, or list it under “required”.';
    const [kind] = [property.type].flat();
    return {
      ...base,
      kind: kind === 'integer' ? 'integer' : 'number',
      group: property['x-group'] ?? 'shape',
      min,
      max,
      ...(property.minimum === undefined && property.exclusiveMinimum !== undefined ? { exclusive_min: true } : {}),
      ...(property.maximum === undefined && property.exclusiveMaximum !== undefined ? { exclusive_max: true } : {}),
      ...(multipleOf === undefined ? {} : { multiple_of: multipleOf }),
      ...(required && preset === undefined ? { required: true } : {}),
      ...(nullable ? { nullable: true, default: preset ?? null } : preset == null ? {} : { default: preset }),
      ...(property['x-unit'] ? { unit: property['x-unit'] } : {}),
      ...(property['x-step'] ? { step: property['x-step'] } : {}),
      ...(property['x-empty'] ? { empty_label: property['x-empty'] } : {}),
    };
  },
);

export const booleanReader = createFieldReader(
  (property) => hasType(property, 'boolean'),
  z.strictObject({
    ...commonProperties,
    type: nullableTypeSchema('boolean'),
    default: z.optional(z.nullable(z.boolean())),
  }),
  (property, { base }) => {
    const nullable = Array.isArray(property.type);
    if (property.default === null && !nullable) return 'A default of null needs a type that allows null.';
    return {
      ...base,
      kind: 'boolean',
      group: property['x-group'] ?? 'shape',
      default: property.default ?? (nullable ? null : false),
      ...(nullable ? { nullable } : {}),
    };
  },
);

/** The service adds these to the published schema of a media field; authors need not write them. */
const referenceProperties = {
  properties: z.optional(z.unknown()),
  required: z.optional(z.unknown()),
  additionalProperties: z.optional(z.unknown()),
};

export const referenceReader = createFieldReader(
  (property) => hasType(property, 'object'),
  z.strictObject({
    ...commonProperties,
    ...referenceProperties,
    type: nullableTypeSchema('object'),
    'x-media': z.enum(MEDIA_KINDS),
    default: z.optional(z.null()),
  }),
  (property, { base, required }) => ({
    ...base,
    kind: 'reference',
    group: property['x-group'] ?? (required ? 'main' : 'references'),
    media: property['x-media'],
    ...(required ? { required: true } : { nullable: true }),
    with_role: false,
  }),
);

const MAX_MEDIA_ITEMS = 50;

export const referencesReader = createFieldReader(
  (property) => hasType(property, 'array'),
  z.strictObject({
    ...commonProperties,
    type: z.literal('array'),
    items: z.strictObject({ ...referenceProperties, type: z.literal('object'), 'x-media': z.enum(MEDIA_KINDS) }),
    minItems: z.optional(z.int().check(z.gte(0))),
    maxItems: z.optional(z.int().check(z.gte(1), z.lte(MAX_MEDIA_ITEMS))),
  }),
  (property, { base, required }) => {
    const { minItems = required ? 1 : 0, maxItems = MAX_MEDIA_ITEMS } = property;
    if (minItems > maxItems) return 'The minimum number of items is greater than the maximum.';
    if (minItems > 0 && !required) return 'List it under “required”, or allow it to be empty.';
    return {
      ...base,
      kind: 'references',
      group: property['x-group'] ?? (required ? 'main' : 'references'),
      media: property.items['x-media'],
      ...(required ? { required: true } : {}),
      min_items: minItems,
      max_items: maxItems,
      with_role: false,
    };
  },
);
