import * as z from 'zod';
import type { AdvancedInput } from '#contract/added-models/fields/normalize-schema.ts';
import { toErrorDetails } from '#contract/api/error-details.ts';
import type { ErrorDetail } from '#contract/api/errors.ts';
import { isJson, isWithin, type Json } from '#contract/json-value.ts';

/** Of a schema that is enforced; of a larger one, only the names of the properties are. */
const SCHEMA_BOUNDS = { values: 8_000, depth: 40 };
const VALUE_BOUNDS = { values: 2_000, depth: 12 };
const MAX_PROBLEMS = 20;

/** Keywords that zod enforces. Formats and patterns are regular expressions, which no schema gets to run. */
const ENFORCED_KEYWORDS = new Set([
  'type',
  'enum',
  'const',
  'nullable',
  'required',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

/** A schema as zod converts it: without texts, defaults, formats and marks of what could not be read. */
function toEnforced(schema: Json): Json {
  const { properties, items, anyOf, additionalProperties: others } = schema;
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => ENFORCED_KEYWORDS.has(keyword))),
    ...(isJson(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, isJson(each) ? toEnforced(each) : {}]),
          ),
        }
      : {}),
    ...(isJson(items) ? { items: toEnforced(items) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.filter(isJson).map(toEnforced) } : {}),
    ...(typeof others === 'boolean'
      ? { additionalProperties: others }
      : isJson(others)
        ? { additionalProperties: toEnforced(others) }
        : {}),
  };
}

const validators = new WeakMap<AdvancedInput, z.ZodType>();

/** @returns null for a schema that is too large, or says what no schema can, such as `type: 5` */
function convertSchema(schema: Json): z.ZodType | null {
  if (!isWithin(schema, SCHEMA_BOUNDS)) return null;
  try {
    return z.fromJSONSchema(toEnforced(schema), { defaultTarget: 'openapi-3.0' });
  } catch {
    // The provider validates the values itself.
    return null;
  }
}

/** A value whose objects inherit nothing, because zod reads absent properties from the prototype. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isJson(value)) return value;
  const own = Object.entries(value).map(([name, each]) => [name, withoutPrototypes(each)] as const);
  return Object.assign(Object.create(null), Object.fromEntries(own));
}

function validatorOf(advanced: AdvancedInput): z.ZodType {
  const cached = validators.get(advanced);
  if (cached) return cached;
  const validator =
    convertSchema(advanced.json_schema) ??
    z.strictObject(Object.fromEntries(advanced.names.map((name) => [name, z.unknown()]))).partial();
  validators.set(advanced, validator);
  return validator;
}

/**
 * Validates the Advanced field of an added model by the provider's own schema.
 * @returns what is wrong, with paths below `input`; empty if nothing is
 */
export function validateAdvanced(advanced: AdvancedInput, value: unknown): ErrorDetail[] {
  const path = `input.${advanced.field}`;
  const isRequired = Array.isArray(advanced.json_schema['required']) && advanced.json_schema['required'].length > 0;
  if (value === null || value === undefined) return isRequired ? [{ path, message: 'Advanced is required.' }] : [];
  if (!isWithin(value, VALUE_BOUNDS)) return [{ path, message: 'Advanced is too large or nested too deeply.' }];
  const parsed = validatorOf(advanced).safeParse(withoutPrototypes(value), { reportInput: true });
  return parsed.success ? [] : toErrorDetails(parsed.error.issues.slice(0, MAX_PROBLEMS), path);
}
