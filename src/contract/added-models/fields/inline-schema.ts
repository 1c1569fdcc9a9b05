import { isJson, type Json, property } from '#contract/json-value.ts';
import { SchemaError } from '#contract/added-models/schema-error.ts';
import { SCHEMA_LIMITS } from '#contract/added-models/schema-limits.ts';

/** Marks a schema that could not be followed; its value says why. */
export const PROBLEM = 'x-problem';

/** Other keywords are dropped, `pattern` among them: no regular expression of a provider is ever run. */
const KEPT_KEYWORDS = [
  'type',
  'const',
  'default',
  'title',
  'description',
  'nullable',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'enum',
  'required',
  'examples',
  'x-order',
  'x-fal-order-properties',
  'x-cog-array-display',
] as const;

const UNREADABLE_KEYWORDS = ['not', 'if', 'dependentSchemas', 'patternProperties', 'prefixItems'] as const;

const decodePointer = (part: string): string => {
  const slashed = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(slashed);
  } catch {
    return slashed;
  }
};

const problem = (reason: string): Json => ({ [PROBLEM]: reason });

/** Merges two schemas that both hold; the second wins where they differ. */
function mergeSchemas(base: Json, other: Json): Json {
  const merged: Record<string, unknown> = { ...base, ...other };
  const [properties, more] = [base['properties'], other['properties']];
  if (isJson(properties) && isJson(more)) merged['properties'] = { ...properties, ...more };
  const [required, alsoRequired] = [base['required'], other['required']];
  if (Array.isArray(required) && Array.isArray(alsoRequired)) merged['required'] = [...required, ...alsoRequired];
  return merged;
}

const isNullBranch = (schema: Json): boolean =>
  schema['type'] === 'null' ||
  ('const' in schema && schema['const'] === null) ||
  (Array.isArray(schema['enum']) && schema['enum'].length > 0 && schema['enum'].every((option) => option === null));

/** Drops null from the branches, the options and the list of types; `nullable` says that it was there. */
function withoutNull(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  let result: Json = rest;
  if (Array.isArray(rest['type'])) {
    const types = rest['type'].filter((type) => type !== 'null');
    const { type: _, ...untyped } = rest;
    const nullable = types.length < rest['type'].length ? { nullable: true } : {};
    result =
      types.length === 1
        ? { ...rest, type: types[0], ...nullable }
        : { ...untyped, ...nullable, anyOf: types.map((type: unknown) => ({ type })) };
  }
  if (Array.isArray(result['enum']) && result['enum'].includes(null))
    result = { ...result, enum: result['enum'].filter((option) => option !== null), nullable: true };
  if (!Array.isArray(anyOf)) return result;
  const all = anyOf.filter(isJson);
  const branches = all.filter((branch) => !isNullBranch(branch));
  const nullable = branches.length < all.length || branches.some((branch) => branch['nullable'] === true);
  if (nullable) result = { ...result, nullable: true };
  const [only] = branches;
  // What stands beside the branches describes the field and wins.
  if (branches.length === 1 && only) return mergeSchemas(only, result);
  return { ...result, anyOf: branches };
}

/**
 * Returns a schema of a document as plain data: references inlined, `allOf` merged, null branches replaced by
 * `nullable`, unknown keywords dropped. What refers to itself or is too deep becomes a marked schema.
 * @throws {SchemaError} if the document is too large
 */
export function inlineSchema(document: unknown, schema: unknown): Json {
  let values = 0;

  const resolve = (reference: string): unknown => {
    if (!reference.startsWith('#/')) return undefined;
    return reference.slice(2).split('/').map(decodePointer).reduce(property, document);
  };

  const inlineAll = (schemas: unknown, path: readonly string[], depth: number): Json[] =>
    Array.isArray(schemas) ? schemas.map((each: unknown) => inline(each, path, depth + 1)) : [];

  const inline = (value: unknown, path: readonly string[], depth: number): Json => {
    values += 1;
    if (values > SCHEMA_LIMITS.values) throw new SchemaError('The schema of this model is too large.');
    if (!isJson(value)) return {};
    if (depth > SCHEMA_LIMITS.depth) return problem('It is nested too deeply.');
    let result: Json = {};
    const reference = value['$ref'];
    if (typeof reference === 'string') {
      if (path.includes(reference)) return problem('It refers to itself.');
      if (path.length >= SCHEMA_LIMITS.references) return problem('Its references are nested too deeply.');
      const target = resolve(reference);
      if (target === undefined) return problem('It refers to a schema that is not there.');
      result = inline(target, [...path, reference], depth + 1);
    }
    for (const part of inlineAll(value['allOf'], path, depth)) result = mergeSchemas(result, part);
    const own: Record<string, unknown> = {};
    for (const keyword of KEPT_KEYWORDS) if (Object.hasOwn(value, keyword)) own[keyword] = value[keyword];
    const { properties, items, additionalProperties: others } = value;
    if (isJson(properties))
      own['properties'] = Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, inline(each, path, depth + 1)]),
      );
    if (isJson(items)) own['items'] = inline(items, path, depth + 1);
    if (typeof others === 'boolean') own['additionalProperties'] = others;
    else if (isJson(others)) own['additionalProperties'] = inline(others, path, depth + 1);
    const branches = [...inlineAll(value['anyOf'], path, depth), ...inlineAll(value['oneOf'], path, depth)];
    if (branches.length > 0) own['anyOf'] = branches;
    const unreadable = UNREADABLE_KEYWORDS.find((keyword) => keyword in value);
    if (unreadable) own[PROBLEM] = `It uses “${unreadable}”, which no field can show.`;
    return withoutNull(mergeSchemas(result, own));
  };

  return inline(schema, [], 0);
}
