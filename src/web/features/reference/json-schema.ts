import type { JsonSchema } from '#web/api/queries/reference.ts';
import { formatNumber } from '#web/ui/formats.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

const SCHEMA_REF_PREFIX = '#/components/schemas/';

/** The name a schema refers to; undefined where it stands for itself. */
const schemaNameOfRef = (schema: JsonSchema): string | undefined =>
  schema.$ref?.startsWith(SCHEMA_REF_PREFIX) ? schema.$ref.slice(SCHEMA_REF_PREFIX.length) : undefined;

/** The named shape that a value is, or is a list of, null or not; undefined where it stands for itself. */
export function findSchemaName(schema: JsonSchema, schemas: Schemas): string | undefined {
  const { schema: plain, ref } = resolveSchema(schema, schemas);
  return ref ?? (plain.items ? findSchemaName(plain.items, schemas) : undefined);
}

/** A schema without its reference and without "or null"; what stood beside them is kept. */
export function resolveSchema(
  schema: JsonSchema,
  schemas: Schemas,
): { schema: JsonSchema; nullable: boolean; ref?: string } {
  const ref = schemaNameOfRef(schema);
  if (ref !== undefined) return { schema: schemas[ref] ?? {}, nullable: false, ref };
  const choices = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  const [only] = choices;
  if (schema.anyOf && choices.length === 1 && only) {
    const { anyOf: _, ...beside } = schema;
    const inner = resolveSchema(only, schemas);
    return {
      ...inner,
      schema: { ...inner.schema, ...beside },
      nullable: choices.length < schema.anyOf.length || inner.nullable,
    };
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return {
      schema: { ...schema, type: types.length === 1 ? types[0] : types },
      nullable: types.length < schema.type.length,
    };
  }
  return { schema, nullable: false };
}

function formatRange(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const of = unit ? ` ${unit}` : '';
  if (min !== undefined && max !== undefined)
    return min === max ? `exactly ${formatNumber(min)}${of}` : `${formatNumber(min)} to ${formatNumber(max)}${of}`;
  if (max !== undefined) return `at most ${formatNumber(max)}${of}`;
  return min === undefined ? undefined : `at least ${formatNumber(min)}${of}`;
}

const FORMAT_LABELS: Readonly<Record<string, string>> = {
  'date-time': 'date and time',
  uri: 'web address',
  uuid: 'UUID',
  date: 'date',
};

/** "text", "list of PublicAsset", "whole number": what a value is, in plain words. */
export function formatSchemaType(given: JsonSchema, schemas: Schemas): string {
  const { schema, ref } = resolveSchema(given, schemas);
  if (ref !== undefined) return ref;
  if (schema.contentMediaType) return 'file';
  if (schema.type === 'array') {
    const items = schema.items ? formatSchemaType(schema.items, schemas) : 'anything';
    return items === 'object' ? 'list of objects' : `list of ${items}`;
  }
  if (schema.format && FORMAT_LABELS[schema.format]) return FORMAT_LABELS[schema.format] ?? '';
  const names: Record<string, string> = { string: 'text', integer: 'whole number', boolean: 'true or false' };
  if (typeof schema.type === 'string') return names[schema.type] ?? schema.type;
  if (schema.const !== undefined) return typeof schema.const === 'string' ? 'text' : typeof schema.const;
  if (schema.oneOf ?? schema.anyOf) return 'one of several';
  return Array.isArray(schema.type) ? schema.type.join(' or ') : 'anything';
}

/** The bounds of a value, in words; empty where it has none. */
export function formatSchemaBounds(given: JsonSchema, schemas: Schemas): string[] {
  const { schema } = resolveSchema(given, schemas);
  // 2^53 − 1 is only how a whole number says that it has no bound.
  const safe = (bound: number | undefined) =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;
  return [
    formatRange(schema.minLength, schema.maxLength, 'characters'),
    schema.exclusiveMinimum === undefined ? formatRange(safe(schema.minimum), safe(schema.maximum), '') : undefined,
    schema.exclusiveMinimum === undefined ? undefined : `more than ${formatNumber(schema.exclusiveMinimum)}`,
    schema.exclusiveMinimum === undefined ? undefined : formatRange(undefined, safe(schema.maximum), ''),
    formatRange(schema.minItems || undefined, schema.maxItems, 'items'),
  ].filter((words) => words !== undefined);
}

/** The values a closed set allows, as they are written; empty where it is open. */
export function enumOptions(given: JsonSchema, schemas: Schemas): string[] {
  const { schema, ref } = resolveSchema(given, schemas);
  if (ref !== undefined) return [];
  return (schema.enum ?? []).map((option) => (typeof option === 'string' ? option : JSON.stringify(option)));
}

/** The schema whose properties are to be shown below a value: its own, its items' or none. */
export function nestedSchema(given: JsonSchema, schemas: Schemas): JsonSchema | undefined {
  const { schema, ref } = resolveSchema(given, schemas);
  if (ref !== undefined) return undefined;
  if (schema.properties) return schema;
  return schema.items ? nestedSchema(schema.items, schemas) : undefined;
}
