import type { BodyInput } from '#contract/api/endpoints.ts';
import type { WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';
import { isObject } from '#web/ui/is-object.ts';

export interface StarterInput {
  key: string;
  required: boolean;
  property: Record<string, unknown>;
}

export interface StarterStep {
  key: string;
  name: string;
  task: string;
  model: string | null;
  needs: string[];
  when: string | null;
  for_each: string | null;
  max_items: number | string | null;
  /** Values by field of the task; strings can contain `{{ expressions }}`. */
  input: Record<string, unknown>;
}

export interface StarterResult {
  name: string;
  value: unknown;
}

/** A workflow as the editor's form holds it: its definition, with lists in place of objects whose keys can change. */
export interface StarterValues {
  slug: string;
  name: string;
  description: string;
  inputs: StarterInput[];
  steps: StarterStep[];
  /** Empty: a run returns the files of its last steps. */
  results: StarterResult[];
  example: Record<string, unknown>;
  /** The definition as text while it is edited as JSON; the other values are out of date then. */
  json: string | null;
}

export type StarterDefinition = BodyInput<'create_workflow_starter'>;

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
const toTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const toObject = (value: unknown): Record<string, unknown> => (isObject(value) ? { ...value } : {});
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns why the form can't show a definition; null if it can. */
export function starterShapeProblem(value: unknown): string | null {
  if (!isObject(value)) return 'A workflow is an object: { "slug": …, "name": …, "steps": [ … ] }.';
  const { input_schema: schema, steps, output = {}, example_input: example = {} } = value;
  const properties = isObject(schema) ? (schema['properties'] ?? {}) : null;
  if (!isObject(properties)) return '“input_schema” must be an object with “properties”.';
  if (!Object.values(properties).every(isObject)) return 'Each property of “input_schema” must be an object.';
  if (!Array.isArray(steps) || !steps.every(isObject)) return '“steps” must be a list of objects.';
  if (!isObject(output)) return '“output” must be an object or omitted.';
  return isObject(example) ? null : '“example_input” must be an object or omitted.';
}

/** @throws {SyntaxError} if the text is not JSON, or the form can't show it */
export function parseDefinition(json: string): Record<string, unknown> {
  const value = parseJson(json);
  const problem = starterShapeProblem(value);
  if (problem !== null) throw new SyntaxError(problem);
  return toObject(value);
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new SyntaxError(`Invalid JSON. ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}

/** Values of the wrong type become empty; check `starterShapeProblem` first. */
export function toStarterValues(definition: Readonly<Record<string, unknown>>): StarterValues {
  const schema = toObject(definition['input_schema']);
  const required = toList(schema['required']);
  return {
    slug: toText(definition['slug']),
    name: toText(definition['name']),
    description: toText(definition['description']),
    inputs: Object.entries(toObject(schema['properties'])).map(([key, property]) => ({
      key,
      required: required.includes(key),
      property: toObject(property),
    })),
    steps: toList(definition['steps'])
      .map(toObject)
      .map((step) => ({
        key: toText(step['key']),
        name: toText(step['name']),
        task: toText(step['task']),
        model: toTextOrNull(step['model']),
        needs: toList(step['needs']).filter((key) => typeof key === 'string'),
        when: toTextOrNull(step['when']),
        for_each: toTextOrNull(step['for_each']),
        max_items: typeof step['max_items'] === 'number' ? step['max_items'] : toTextOrNull(step['max_items']),
        input: toObject(step['input']),
      })),
    results: Object.entries(toObject(definition['output'])).map(([name, value]) => ({ name, value })),
    example: toObject(definition['example_input']),
    json: null,
  };
}

/** Omits defaults to keep the JSON short. */
export function toDefinition({
  inputs,
  steps,
  results,
  example,
  slug,
  name,
  description,
}: StarterValues): StarterDefinition {
  const keys = new Set(inputs.map(({ key }) => key));
  const exampleInput = Object.fromEntries(Object.entries(example).filter(([key]) => keys.has(key)));
  return {
    slug,
    name,
    description,
    input_schema: {
      type: 'object',
      properties: Object.fromEntries(inputs.map(({ key, property }) => [key, property])),
      required: inputs.filter(({ required }) => required).map(({ key }) => key),
    },
    ...(Object.keys(exampleInput).length > 0 ? { example_input: exampleInput } : {}),
    steps: steps.map(({ model, needs, when, for_each, max_items, input, ...step }) => ({
      ...step,
      ...(model === null ? {} : { model }),
      ...(needs.length > 0 ? { needs } : {}),
      ...(when === null ? {} : { when }),
      ...(for_each === null ? {} : { for_each }),
      ...(for_each === null || max_items === null ? {} : { max_items }),
      input,
    })),
    ...(results.length > 0 ? { output: Object.fromEntries(results.map((result) => [result.name, result.value])) } : {}),
  };
}

export const formatDefinition = (values: StarterValues): string =>
  values.json ?? JSON.stringify(toDefinition(values), null, 2);

/** The URL name follows the name of the copy until it is edited. */
export function copyAsNewStarter(definition: WorkflowDefinition): StarterValues {
  const name = `${definition.name.slice(0, 73)} (copy)`;
  return toStarterValues({ ...definition, name, slug: slugify(name) });
}

export const blankStarter = (): StarterValues =>
  toStarterValues({
    input_schema: { properties: { prompt: { ...TEXT, title: 'Prompt' } }, required: ['prompt'] },
    steps: [{ ...IMAGE_STEP, input: { prompt: '{{ input.prompt }}' } }],
  });

const TEXT = { type: 'string', 'x-multiline': true };
const IMAGE_STEP = { key: 'image', name: 'Image', task: 'image.create', model: 'imgmodel-b-2' };

/** "Product clip, 2" → "product-clip-2" */
export const slugify = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replaceAll(/^-|-$/g, '');

/** "Product photo" → "product_photo", with a number if the key is taken. */
export function uniqueKey(name: string, usedKeys: readonly string[], fallback: string): string {
  const key =
    slugify(name)
      .replaceAll('-', '_')
      .replace(/^[^a-z]+/, '')
      .slice(0, 36) || fallback;
  if (!usedKeys.includes(key)) return key;
  for (let number = 2; ; number += 1) if (!usedKeys.includes(`${key}_${number}`)) return `${key}_${number}`;
}
