import * as z from 'zod/mini';
import { toErrorDetails } from './api/error-details.ts';
import type { ErrorDetail } from './api/errors.ts';
import { isJson, isWithin, property } from './json-value.ts';
import { megapixelsOf, numberOf } from './money/quantity-text.ts';
import { validateReferenceUrl } from './reference-url.ts';
import { fieldDefault, type FieldSpec, type InputContract, satisfiesRule } from './task.ts';

const urlSchema = (localOrigin: string | null) =>
  z
    .string()
    .check((ctx) => {
      const problem = validateReferenceUrl(ctx.value, localOrigin);
      if (problem) ctx.issues.push({ code: 'custom', message: problem, input: ctx.value });
    })
    .register(z.globalRegistry, { format: 'uri', minLength: 1 });

/** `{url}` Spec: Shared input types */
const referenceUrlSchema = (localOrigin: string | null) => z.strictObject({ url: urlSchema(localOrigin) });

/** `{url, role}` Spec: Shared input types */
const referenceMediaSchema = (localOrigin: string | null) =>
  z.strictObject({ url: urlSchema(localOrigin), role: z._default(z.nullable(z.string()), null) });

type SchemaBuilder<F extends FieldSpec> = (field: F, localOrigin: string | null) => z.ZodMiniType;
type SchemaBuilders = { [K in FieldSpec['kind']]: SchemaBuilder<Extract<FieldSpec, { kind: K }>> };

/** Of the value of a JSON field. */
const JSON_VALUE_LIMITS = { values: 2_000, depth: 12 };

const countCodePoints = (text: string) => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

const buildNumberSchema: SchemaBuilder<Extract<FieldSpec, { kind: 'number' | 'integer' }>> = (field) => {
  const checks = [
    ...(field.min === null ? [] : [field.exclusive_min ? z.gt(field.min) : z.gte(field.min)]),
    ...(field.max === null ? [] : [field.exclusive_max ? z.lt(field.max) : z.lte(field.max)]),
    ...(field.multiple_of === undefined ? [] : [z.multipleOf(field.multiple_of)]),
  ];
  return field.kind === 'integer' ? z.int().check(...checks) : z.number().check(...checks);
};

const buildReferenceSchema = (field: { with_role: boolean }, localOrigin: string | null) =>
  field.with_role ? referenceMediaSchema(localOrigin) : referenceUrlSchema(localOrigin);

const SCHEMA_BUILDERS: SchemaBuilders = {
  text: (field) =>
    z.string().check((ctx) => {
      const message = validateText(field, ctx.value);
      if (message) ctx.issues.push({ code: 'custom', message, input: ctx.value, continue: true });
    }),
  choice: ({ options, own_max_length, label }) => {
    const listed = z.literal([...options]);
    if (own_max_length === undefined) return listed;
    const error = `${label} must be one of the options or a text of at most ${own_max_length} characters.`;
    return z.union([listed, z.string().check(z.minLength(1), z.maxLength(own_max_length))], { error });
  },
  number: buildNumberSchema,
  integer: buildNumberSchema,
  boolean: () => z.boolean(),
  datetime: () => z.iso.datetime({ offset: true }),
  size: ({ options, min, max, label }) => {
    const pixels = z.int().check(z.gte(min), z.lte(max));
    const names = options.length > 0 ? `one of ${options.join(', ')}, or ` : '';
    const own = z.strictObject({ width: pixels, height: pixels });
    return z.union(options.length > 0 ? [z.literal([...options]), own] : [own], {
      error: `${label} must be ${names}a width and a height of ${min} to ${max} pixels.`,
    });
  },
  group: ({ fields }, localOrigin) => objectSchema(fields, localOrigin),
  rows: ({ fields, min_items, max_items }, localOrigin) =>
    z.array(objectSchema(fields, localOrigin)).check(z.minLength(min_items), z.maxLength(max_items)),
  list: ({ item, min_items, max_items }, localOrigin) =>
    z.array(fieldSchema(item, localOrigin)).check(z.minLength(min_items), z.maxLength(max_items)),
  json: ({ keys, label }) =>
    z.partialRecord(z.enum(keys), z.unknown()).check((ctx) => {
      if (isWithin(ctx.value, JSON_VALUE_LIMITS)) return;
      ctx.issues.push({ code: 'custom', message: `${label} is too large or nested too deeply.`, input: ctx.value });
    }),
  reference: buildReferenceSchema,
  references: (field, localOrigin) =>
    z.array(buildReferenceSchema(field, localOrigin)).check(z.minLength(field.min_items), z.maxLength(field.max_items)),
};

function validateText(field: Extract<FieldSpec, { kind: 'text' }>, text: string): string | null {
  const length = countCodePoints(text);
  if (length === 0) return field.required ? `${field.label} is required.` : null;
  if (text.trim() === '') return `${field.label} must not be blank.`;
  if (length < field.min_length) return `${field.label} must have at least ${field.min_length} characters.`;
  if (field.max_length === null || length <= field.max_length) return null;
  return `${field.label} can have at most ${field.max_length.toLocaleString('en-US')} characters; it has ${length.toLocaleString('en-US')}.`;
}

function fieldSchema<F extends FieldSpec>(field: F, localOrigin: string | null): z.ZodMiniType {
  // The table is exhaustive by type, but TypeScript cannot correlate a key with its builder inside a generic.
  const build = SCHEMA_BUILDERS[field.kind] as SchemaBuilder<F>;
  return build(field, localOrigin).register(z.globalRegistry, {
    title: field.label,
    ...(field.help ? { description: field.help } : {}),
    ...(field.kind === 'text' ? { minLength: field.required ? field.min_length : 0 } : {}),
    ...(field.kind === 'text' && field.or_number ? { type: ['string', 'number'] } : {}),
    ...(field.kind === 'text' && field.max_length !== null ? { maxLength: field.max_length } : {}),
  });
}

export const isRequired = (field: FieldSpec): boolean =>
  ('required' in field && field.required === true) ||
  ((field.kind === 'choice' || field.kind === 'size') && field.default === undefined);

const objectSchema = (fields: readonly FieldSpec[], localOrigin: string | null) =>
  z.strictObject(
    Object.fromEntries(
      fields.map((field) => {
        const base = fieldSchema(field, localOrigin);
        const typed = 'nullable' in field && field.nullable ? z.nullable(base) : base;
        const preset = fieldDefault(field);
        if (preset !== undefined) return [field.name, z._default(typed, preset)];
        return [field.name, isRequired(field) ? typed : z.optional(typed)];
      }),
    ),
  );

const schemaCache = new WeakMap<InputContract, Map<string | null, z.ZodMiniType<Record<string, unknown>>>>();

/**
 * Builds the strict zod schema of a task's input, with defaults and rules between fields. Issue paths are relative to
 * the input.
 * @param localOrigin see `validateReferenceUrl`
 */
export function inputSchema(
  contract: InputContract,
  localOrigin: string | null = null,
): z.ZodMiniType<Record<string, unknown>> {
  const cached = schemaCache.get(contract)?.get(localOrigin);
  if (cached) return cached;
  const schema = objectSchema(contract.fields, localOrigin).check((ctx) => {
    for (const rule of contract.rules) {
      if (!satisfiesRule(rule, ctx.value))
        ctx.issues.push({
          code: 'custom',
          message: rule.message,
          path: [rule.field],
          input: property(ctx.value, rule.field),
        });
    }
    for (const { field, of, most } of contract.bounds ?? []) {
      const spec = contract.fields.find(({ name }) => name === field);
      const value = property(ctx.value, field);
      const amount = of === 'number' ? numberOf(spec, value) : megapixelsOf(value);
      if (amount === null || amount <= most) continue;
      const unit = of === 'number' ? '' : ' megapixels';
      const message = `${spec?.label ?? field} can be at most ${most.toLocaleString('en-US')}${unit}.`;
      ctx.issues.push({ code: 'custom', message, path: [field], input: value });
    }
  });
  const byOrigin = schemaCache.get(contract) ?? new Map<string | null, z.ZodMiniType<Record<string, unknown>>>();
  schemaCache.set(contract, byOrigin.set(localOrigin, schema));
  return schema;
}

export type ParsedInput = { ok: true; input: Record<string, unknown> } | { ok: false; details: ErrorDetail[] };

/** The fields of an object after those inside of them, whose labels give way. */
const withNested = (fields: readonly FieldSpec[]): FieldSpec[] => [
  ...fields.flatMap((field) => ('fields' in field ? field.fields : [])),
  ...fields,
];

const labelCache = new WeakMap<InputContract, Record<string, string>>();
const fieldLabels = (contract: InputContract) => {
  const cached =
    labelCache.get(contract) ?? Object.fromEntries(withNested(contract.fields).map(({ name, label }) => [name, label]));
  labelCache.set(contract, cached);
  return cached;
};

/** A value as its field holds it: numbers as texts, and one item as a list, where the field takes both. */
function toFieldValue(field: FieldSpec, value: unknown): unknown {
  if ('fields' in field)
    return Array.isArray(value)
      ? value.map((item: unknown) => toFieldValues(field.fields, item))
      : toFieldValues(field.fields, value);
  if (field.kind === 'list') {
    const isItem = field.or_item === true && (typeof value === 'string' || typeof value === 'number');
    const list: unknown = isItem ? [value] : value;
    return Array.isArray(list) ? list.map((item: unknown) => toFieldValue(field.item, item)) : list;
  }
  if ((field.kind !== 'text' && field.kind !== 'choice') || !field.or_number || typeof value !== 'number') return value;
  const isOption = field.kind === 'choice' && field.options.includes(value);
  return isOption || !Number.isFinite(value) ? value : String(value);
}

/**
 * The values of an object as its fields hold them. The object inherits nothing: zod reads a property that is absent, such
 * as `toString`, from the prototype.
 */
function toFieldValues(fields: readonly FieldSpec[], input: unknown): unknown {
  if (!isJson(input)) return input;
  const own: Record<string, unknown> = Object.assign(Object.create(null), input);
  for (const field of fields)
    if (Object.hasOwn(own, field.name)) own[field.name] = toFieldValue(field, own[field.name]);
  return own;
}

/**
 * Validates a task's input: returns it with defaults filled in, or one row per problem with paths below `input`. The
 * form and the service both call it.
 * @param localOrigin see `validateReferenceUrl`
 */
export function parseInput(contract: InputContract, input: unknown, localOrigin: string | null): ParsedInput {
  const result = inputSchema(contract, localOrigin).safeParse(toFieldValues(contract.fields, input), {
    reportInput: true,
  });
  if (result.success) return { ok: true, input: result.data };
  return { ok: false, details: toErrorDetails(result.error.issues, 'input', fieldLabels(contract)) };
}
