import * as z from 'zod/mini';
import type { ErrorDetail } from '#contract/api/errors.ts';
import { toErrorDetails } from '#contract/api/error-details.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import { WORKFLOW_KEY_PATTERN } from './workflow-definition.ts';
import { groupReader, jsonReader, listReader, rowsReader, sizeReader } from './workflow-compound-readers.ts';
import type { FieldReadResult } from './workflow-field-reader.ts';
import * as readers from './workflow-field-readers.ts';

/** A workflow's input contract for forms and `parseInput`, or the problems of its schema. */
export type WorkflowInputResult = { ok: true; contract: InputContract } | { ok: false; problems: ErrorDetail[] };

const MAX_FIELDS = 40;

/** The first reader that matches is used. */
const FIELD_READERS = [
  sizeReader,
  readers.choiceReader,
  readers.dateReader,
  readers.textReader,
  readers.numberReader,
  readers.booleanReader,
  jsonReader,
  groupReader,
  rowsReader,
  readers.referenceReader,
  listReader,
  readers.referencesReader,
];

const inputSchemaShape = z.strictObject({
  $schema: z.optional(z.string()),
  type: z.literal('object'),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())),
  required: z.optional(z.array(z.string())),
  additionalProperties: z.optional(z.literal(false)),
});

/**
 * Converts a workflow's input schema, a subset of JSON Schema, to an input contract: an object of texts, choices,
 * numbers, booleans, dates and media (`x-media`). See docs/workflows.md.
 * @param at prefix of the problems' paths
 */
export function readWorkflowInput(schema: unknown, at = 'input_schema'): WorkflowInputResult {
  const parsed = inputSchemaShape.safeParse(schema, { reportInput: true });
  if (!parsed.success) return { ok: false, problems: toErrorDetails(parsed.error.issues, at) };
  const { properties, required = [] } = parsed.data;
  const names = Object.keys(properties);
  const problems: ErrorDetail[] = [];
  if (names.length > MAX_FIELDS)
    problems.push({ path: `${at}.properties`, message: `A workflow can have at most ${MAX_FIELDS} input fields.` });
  required.forEach((name, index) => {
    if (!names.includes(name))
      problems.push({ path: `${at}.required.${index}`, message: `There is no property “${name.slice(0, 80)}”.` });
  });
  const fields = Object.entries(properties).flatMap(([name, property]): FieldSpec[] => {
    const path = `${at}.properties.${name}`;
    const read = WORKFLOW_KEY_PATTERN.test(name)
      ? readField(name, property, required.includes(name), path)
      : invalidNameResult(path);
    if (read.ok) return [read.field];
    problems.push(...read.problems);
    return [];
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, contract: { fields, rules: [] } };
}

const invalidNameResult = (path: string): FieldReadResult => ({
  ok: false,
  problems: [{ path, message: 'Use lowercase letters, digits and underscores, starting with a letter.' }],
});

function readField(
  name: string,
  property: Readonly<Record<string, unknown>>,
  required: boolean,
  path: string,
): FieldReadResult {
  const shape = FIELD_READERS.find(({ matches }) => matches(property));
  if (!shape)
    return {
      ok: false,
      problems: [{ path: `${path}.type`, message: 'The type must be text, number, boolean, date, choice or media.' }],
    };
  return shape.read({ name, property, required, path });
}
