import type { JsonSchema } from '#web/api/queries/reference.ts';
import { formatNumber } from '#web/ui/formats.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

const SCHEMA_REF_PREFIX = '#/components/schemas/';

const schemaNameOfRef = (schema: JsonSchema): string | undefined =>
  schema.$ref?.startsWith(SCHEMA_REF_PREFIX) ? schema.$ref.slice(SCHEMA_REF_PREFIX.length) : undefined;

/** Returns the named schema of a value or of its items, nullable or not; undefined if there is none. */
export function findSchemaName(schema: JsonSchema, schemas: Schemas): string | undefined {
  const { schema: plain, ref } = resolveSchema(schema, schemas);
  return ref ?? (plain.items ? findSchemaName(plain.items, schemas) : undefined);
}

/** Resolves a reference and removes null from a union. Properties beside them are kept. */
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
  'date-time': 'date-time',
  uri: 'URL',
  uuid: 'UUID',
  date: 'date',
};

/** Formats the type of a value: "string", "array of PublicAsset", "integer". */
export function formatSchemaType(raw: JsonSchema, schemas: Schemas): string {
  const { schema, ref } = resolveSchema(raw, schemas);
  if (ref !== undefined) return ref;
  if (schema.contentMediaType) return 'file';
  if (schema.type === 'array') {
    const items = schema.items ? formatSchemaType(schema.items, schemas) : 'any';
    return items === 'object' ? 'array of objects' : `array of ${items}`;
  }
  if (schema.format && FORMAT_LABELS[schema.format]) return FORMAT_LABELS[schema.format] ?? '';
  if (typeof schema.type === 'string') return schema.type;
  if (schema.const !== undefined) return typeof schema.const;
  if (schema.oneOf ?? schema.anyOf) return 'one of';
  return Array.isArray(schema.type) ? schema.type.join(' or ') : 'any';
}

export function formatSchemaBounds(raw: JsonSchema, schemas: Schemas): string[] {
  const { schema } = resolveSchema(raw, schemas);
  // zod writes 2^53 − 1 as the bound of an integer that has none.
  const safe = (bound: number | undefined) =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;
  return [
    formatRange(schema.minLength, schema.maxLength, 'characters'),
    schema.exclusiveMinimum === undefined ? formatRange(safe(schema.minimum), safe(schema.maximum), '') : undefined,
    schema.exclusiveMinimum === undefined ? undefined : `more than ${formatNumber(schema.exclusiveMinimum)}`,
    schema.exclusiveMinimum === undefined ? undefined : formatRange(undefined, safe(schema.maximum), ''),
    formatRange(schema.minItems || undefined, schema.maxItems, 'items'),
  ].filter((bound) => bound !== undefined);
}

export function enumOptions(raw: JsonSchema, schemas: Schemas): string[] {
  const { schema, ref } = resolveSchema(raw, schemas);
  if (ref !== undefined) return [];
  return (schema.enum ?? []).map((option) => (typeof option === 'string' ? option : JSON.stringify(option)));
}

/** Returns the unnamed object schema of a value or of its items; undefined if there is none. */
export function nestedSchema(raw: JsonSchema, schemas: Schemas): JsonSchema | undefined {
  const { schema, ref } = resolveSchema(raw, schemas);
  if (ref !== undefined) return undefined;
  if (schema.properties) return schema;
  return schema.items ? nestedSchema(schema.items, schemas) : undefined;
}
