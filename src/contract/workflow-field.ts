import * as z from 'zod/mini';
import type { ErrorDetail } from './errors.ts';
import { toErrorDetails } from './issues.ts';
import type { Field, FieldGroup } from './task.ts';

export type ReadField = { ok: true; field: Field } | { ok: false; problems: ErrorDetail[] };

interface Given {
  name: string;
  property: Readonly<Record<string, unknown>>;
  /** It stands under `required`. */
  required: boolean;
  /** Of the property, for problems. */
  path: string;
}

/** One kind of property that a workflow's input may have. */
interface FieldShape {
  matches(property: Readonly<Record<string, unknown>>): boolean;
  read(given: Given): ReadField;
}

const GROUPS = ['main', 'shape', 'references', 'sound', 'more'] as const satisfies readonly FieldGroup[];
const MEDIA = ['image', 'video', 'audio'] as const;

const words = {
  title: z.optional(z.string().check(z.minLength(1), z.maxLength(80))),
  description: z.optional(z.string().check(z.maxLength(300))),
  'x-group': z.optional(z.enum(GROUPS)),
};
const orNull = <T extends string>(type: T) => z.union([z.literal(type), z.tuple([z.literal(type), z.literal('null')])]);
const isOf = (property: Readonly<Record<string, unknown>>, ...types: string[]) => {
  const [type] = [property['type']].flat();
  return typeof type === 'string' && types.includes(type);
};

const labelOf = (name: string) => {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** A shape by the schema of its property and what becomes of one that fits. */
function shape<S extends z.ZodMiniType<{ title?: string | undefined; description?: string | undefined }>>(
  matches: FieldShape['matches'],
  schema: S,
  build: (
    property: z.output<S>,
    given: Given & { base: { name: string; label: string; help?: string } },
  ) => Field | string,
): FieldShape {
  return {
    matches,
    read(given) {
      const parsed = schema.safeParse(given.property, { reportInput: true });
      if (!parsed.success) return { ok: false, problems: toErrorDetails(parsed.error.issues, given.path) };
      const { title, description } = parsed.data;
      const base = {
        name: given.name,
        label: title ?? labelOf(given.name),
        ...(description ? { help: description } : {}),
      };
      const field = build(parsed.data, { ...given, base });
      if (typeof field !== 'string') return { ok: true, field };
      return { ok: false, problems: [{ path: given.path, message: field }] };
    },
  };
}

const choice = shape(
  (property) => 'enum' in property,
  z.strictObject({
    ...words,
    type: z.optional(z.enum(['string', 'number', 'integer'])),
    enum: z.array(z.union([z.string(), z.number()])).check(z.minLength(1), z.maxLength(100)),
    default: z.optional(z.union([z.string(), z.number()])),
    'x-labels': z.optional(z.record(z.string(), z.string())),
    'x-control': z.optional(z.literal('ratio')),
    'x-unit': z.optional(z.string()),
  }),
  (property, { base, required }) => {
    const { enum: options, default: preset } = property;
    if (preset !== undefined && !options.includes(preset)) return 'The default must be one of the options.';
    if (preset === undefined && !required) return 'Give a default, or name it under “required”.';
    return {
      ...base,
      kind: 'choice',
      group: property['x-group'] ?? 'shape',
      options,
      ...(preset === undefined ? {} : { default: preset }),
      ...(property['x-labels'] ? { option_labels: property['x-labels'] } : {}),
      ...(property['x-control'] ? { control: property['x-control'] } : {}),
      ...(property['x-unit'] ? { unit: property['x-unit'] } : {}),
    };
  },
);

const date = shape(
  (property) => isOf(property, 'string') && property['format'] === 'date-time',
  z.strictObject({
    ...words,
    type: z.tuple([z.literal('string'), z.literal('null')]),
    format: z.literal('date-time'),
    default: z.optional(z.null()),
  }),
  (property, { base, required }) =>
    required
      ? 'A date can be left out: it is not to be named under “required”.'
      : { ...base, kind: 'datetime', group: property['x-group'] ?? 'more', nullable: true, default: null },
);

const text = shape(
  (property) => isOf(property, 'string'),
  z.strictObject({
    ...words,
    type: z.literal('string'),
    minLength: z.optional(z.int().check(z.gte(0))),
    maxLength: z.optional(z.int().check(z.gte(1), z.lte(32_000))),
    examples: z.optional(z.array(z.string())),
    'x-multiline': z.optional(z.boolean()),
  }),
  (property, { base, required }) => {
    const { minLength = 1, maxLength = 5_000, examples } = property;
    if (!required) return 'A text must be named under “required”.';
    if (minLength > maxLength) return 'The shortest text is longer than the longest.';
    return {
      ...base,
      kind: 'text',
      group: property['x-group'] ?? 'main',
      required: true,
      min_length: Math.max(1, minLength),
      max_length: maxLength,
      multiline: property['x-multiline'] ?? false,
      ...(examples?.[0] === undefined ? {} : { placeholder: examples[0] }),
    };
  },
);

const number = shape(
  (property) => isOf(property, 'number', 'integer'),
  z.strictObject({
    ...words,
    type: z.union([orNull('number'), orNull('integer')]),
    minimum: z.optional(z.number()),
    exclusiveMinimum: z.optional(z.number()),
    maximum: z.optional(z.number()),
    default: z.optional(z.nullable(z.number())),
    'x-unit': z.optional(z.string()),
    'x-step': z.optional(z.number().check(z.gt(0))),
    'x-empty': z.optional(z.string()),
  }),
  (property, { base, required }) => {
    const min = property.minimum ?? property.exclusiveMinimum ?? 0;
    const { maximum: max = null, default: preset } = property;
    const nullable = Array.isArray(property.type);
    if (max !== null && max < min) return 'The greatest number is smaller than the least.';
    if (typeof preset === 'number' && (preset < min || (max !== null && preset > max)))
      return 'The default is outside of what is possible.';
    if (preset === null && !nullable) return 'A default of null needs a type that allows null.';
    if (preset === undefined && !nullable && !required) return 'Give a default, or name it under “required”.';
    const [kind] = [property.type].flat();
    return {
      ...base,
      kind: kind === 'integer' ? 'integer' : 'number',
      group: property['x-group'] ?? 'shape',
      min,
      max,
      ...(property.minimum === undefined && property.exclusiveMinimum !== undefined ? { exclusive_min: true } : {}),
      ...(required && preset === undefined ? { required: true } : {}),
      ...(nullable ? { nullable: true, default: preset ?? null } : preset == null ? {} : { default: preset }),
      ...(property['x-unit'] ? { unit: property['x-unit'] } : {}),
      ...(property['x-step'] ? { step: property['x-step'] } : {}),
      ...(property['x-empty'] ? { empty_label: property['x-empty'] } : {}),
    };
  },
);

const boolean = shape(
  (property) => isOf(property, 'boolean'),
  z.strictObject({ ...words, type: z.literal('boolean'), default: z.optional(z.boolean()) }),
  (property, { base }) => ({
    ...base,
    kind: 'boolean',
    group: property['x-group'] ?? 'shape',
    default: property.default ?? false,
  }),
);

/** What the service adds to the published schema of a medium, and nobody has to write. */
const link = {
  properties: z.optional(z.unknown()),
  required: z.optional(z.unknown()),
  additionalProperties: z.optional(z.unknown()),
};

const medium = shape(
  (property) => isOf(property, 'object'),
  z.strictObject({
    ...words,
    ...link,
    type: orNull('object'),
    'x-media': z.enum(MEDIA),
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

const MOST_MEDIA = 50;

const media = shape(
  (property) => isOf(property, 'array'),
  z.strictObject({
    ...words,
    type: z.literal('array'),
    items: z.strictObject({ ...link, type: z.literal('object'), 'x-media': z.enum(MEDIA) }),
    minItems: z.optional(z.int().check(z.gte(0))),
    maxItems: z.optional(z.int().check(z.gte(1), z.lte(MOST_MEDIA))),
  }),
  (property, { base, required }) => {
    const { minItems = required ? 1 : 0, maxItems = MOST_MEDIA } = property;
    if (minItems > maxItems) return 'The least number of items is greater than the most.';
    if (minItems > 0 && !required) return 'Name it under “required”, or let it be empty.';
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

/** The first that matches reads the property. */
export const FIELD_SHAPES: readonly FieldShape[] = [choice, date, text, number, boolean, medium, media];
