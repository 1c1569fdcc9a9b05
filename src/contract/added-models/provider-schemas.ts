import { isJson, isWithin, type Json, jsonAt } from '../json-value.ts';
import type { ModelExample } from './example-files.ts';
import type { KnownMedia, MediaOverride } from './fields/field-reading.ts';
import { inlineSchema } from './fields/inline-schema.ts';
import { type NormalizedModel, normalizeSchemas } from './fields/normalize-schema.ts';
import { SchemaError } from './schema-error.ts';

export interface NormalizeOptions {
  /** Of the model, such as `image-to-video`. */
  category?: string | null;
  /** The administrator's corrections by field name. */
  overrides?: Readonly<Record<string, MediaOverride>>;
  /** A run that the provider shows. */
  example?: ModelExample | null;
  /** An earlier version of the model, whose kinds of files stay while their schema does: examples come and go. */
  known?: KnownMedia | null;
}

const JSON_SCHEMA = ['content', 'application/json', 'schema'] as const;

const DOCUMENT_BOUNDS = { values: 200_000, depth: 64 };

function assertBounded(document: unknown): void {
  if (!isWithin(document, DOCUMENT_BOUNDS)) throw new SchemaError('The schema of this model is too large.');
}

/** A queue document has one path that takes the input, and one that returns its result. */
function falSchemas(document: unknown): { input: unknown; output: unknown } {
  const paths = Object.entries(isJson(jsonAt(document, 'paths')) ? (jsonAt(document, 'paths') as Json) : {});
  const input = paths
    .map(([, item]) => jsonAt(item, 'post', 'requestBody', ...JSON_SCHEMA))
    .find((schema) => schema !== undefined);
  const output = paths
    .filter(([path]) => path.endsWith('/requests/{request_id}'))
    .map(([, item]) => jsonAt(item, 'get', 'responses', '200', ...JSON_SCHEMA))
    .find((schema) => schema !== undefined);
  if (input === undefined) throw new SchemaError('The document of this model has no path that takes an input.');
  return { input, output: output ?? {} };
}

/**
 * Normalizes a model of fal.
 * @param document OpenAPI, as `expand=openapi-3.0` returns it
 * @throws {SchemaError}
 */
export async function normalizeFal(
  document: unknown,
  { category = null, overrides = {}, example = null, known = null }: NormalizeOptions = {},
): Promise<NormalizedModel> {
  assertBounded(document);
  const { input, output } = falSchemas(document);
  const schemas = { input: inlineSchema(document, input), output: inlineSchema(document, output) };
  return normalizeSchemas(schemas, { origin: 'fal', category, overrides, example, known });
}

/**
 * Normalizes a version of a model of Replicate.
 * @param document its `openapi_schema`
 * @throws {SchemaError}
 */
export async function normalizeReplicate(
  document: unknown,
  { category = null, overrides = {}, example = null, known = null }: NormalizeOptions = {},
): Promise<NormalizedModel> {
  assertBounded(document);
  const input = jsonAt(document, 'components', 'schemas', 'Input');
  const output = jsonAt(document, 'components', 'schemas', 'Output');
  if (input === undefined) throw new SchemaError('The schema of this model has no input.');
  const schemas = { input: inlineSchema(document, input), output: inlineSchema(document, output ?? {}) };
  return normalizeSchemas(schemas, { origin: 'replicate', category, overrides, example, known });
}
