import { isObject } from '#web/ui/is-object.ts';
import type { BodyInput } from '#contract/endpoints.ts';
import type { WorkflowDefinition } from '#contract/workflow-definition.ts';

/** A thing that a run asks for: a property of the input's schema. */
export interface EditorInput {
  id: string;
  key: string;
  required: boolean;
  property: Readonly<Record<string, unknown>>;
}

export interface EditorStep {
  id: string;
  key: string;
  name: string;
  task: string;
  model: string | null;
  needs: readonly string[];
  when: string | null;
  for_each: string | null;
  max_items: number | string | null;
  /** By field of the task; texts may hold `{{ expressions }}`. */
  input: Readonly<Record<string, unknown>>;
}

export interface EditorOutput {
  id: string;
  name: string;
  value: unknown;
}

/** A starter as it is being written: lists with ids of their own, so that renaming or moving a part does not make it another. */
export interface EditorState {
  slug: string;
  name: string;
  description: string;
  inputs: readonly EditorInput[];
  steps: readonly EditorStep[];
  /** null: the files of the last steps. */
  outputs: readonly EditorOutput[] | null;
  example: Readonly<Record<string, unknown>>;
  /** The text of the JSON view, as long as that is open; null in the form. */
  json: string | null;
  /** Of the starter that is edited, when editing began; null for a new one. */
  base: string | null;
  /** The name decides the slug until somebody types one. */
  slug_typed: boolean;
  last_id: number;
}

export type StarterDefinitionInput = BodyInput<'create_workflow_starter'>;

export const nextPartId = (state: Pick<EditorState, 'last_id'>): { id: string; last_id: number } => ({
  id: `p${state.last_id + 1}`,
  last_id: state.last_id + 1,
});

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
const toTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Why JSON can't be shown as a form, as a sentence; null where it can. Whether it is right is for the service to say. */
export function starterShapeProblem(given: unknown): string | null {
  if (!isObject(given)) return 'A starter is an object: { "slug": …, "name": …, "steps": [ … ] }.';
  if (!isObject(given['input_schema']) || !isObject(given['input_schema']['properties'] ?? {}))
    return '“input_schema” must be an object with “properties”.';
  if (!Object.values(given['input_schema']['properties'] ?? {}).every(isObject))
    return 'Each property of “input_schema” must be an object.';
  if (!Array.isArray(given['steps']) || !given['steps'].every(isObject)) return '“steps” must be a list of objects.';
  if (!isObject(given['output'] ?? {})) return '“output” must be an object, or be left out.';
  if (!isObject(given['example_input'] ?? {})) return '“example_input” must be an object, or be left out.';
  return null;
}

/**
 * JSON as a form. What is of another kind than it should be is taken as empty; check `starterShapeProblem` first.
 * @param base see `EditorState`
 */
export function parseEditorState(given: unknown, base: string | null = null): EditorState {
  const definition = isObject(given) ? given : {};
  const schema = isObject(definition['input_schema']) ? definition['input_schema'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  const steps = Array.isArray(definition['steps']) ? definition['steps'].filter(isObject) : [];
  const output = isObject(definition['output']) ? Object.entries(definition['output']) : null;
  let last_id = 0;
  const id = () => {
    last_id += 1;
    return `p${last_id}`;
  };
  return {
    slug: toText(definition['slug']),
    name: toText(definition['name']),
    description: toText(definition['description']),
    inputs: properties.map(([key, property]) => ({
      id: id(),
      key,
      required: required.includes(key),
      property: isObject(property) ? property : {},
    })),
    steps: steps.map((step) => ({
      id: id(),
      key: toText(step['key']),
      name: toText(step['name']),
      task: toText(step['task']),
      model: toTextOrNull(step['model']),
      needs: Array.isArray(step['needs']) ? step['needs'].filter((key) => typeof key === 'string') : [],
      when: toTextOrNull(step['when']),
      for_each: toTextOrNull(step['for_each']),
      max_items: typeof step['max_items'] === 'number' ? step['max_items'] : toTextOrNull(step['max_items']),
      input: isObject(step['input']) ? step['input'] : {},
    })),
    outputs: output && output.map(([name, value]) => ({ id: id(), name, value })),
    example: isObject(definition['example_input']) ? definition['example_input'] : {},
    json: null,
    base,
    slug_typed: toText(definition['slug']) !== '',
    last_id,
  };
}

/** What is left out says the same as nothing, in fewer lines. */
const toStepDefinition = ({ key, name, task, model, needs, when, for_each, max_items, input }: EditorStep) => ({
  key,
  name,
  task,
  ...(model === null ? {} : { model }),
  ...(needs.length > 0 ? { needs: [...needs] } : {}),
  ...(when === null ? {} : { when }),
  ...(for_each === null ? {} : { for_each }),
  ...(for_each === null || max_items === null ? {} : { max_items }),
  input: { ...input },
});

/** The form as the JSON that is judged, saved and exported. */
export function toDefinition({
  slug,
  name,
  description,
  inputs,
  steps,
  outputs,
  example,
}: EditorState): StarterDefinitionInput {
  const keys = new Set(inputs.map(({ key }) => key));
  const example_input = Object.fromEntries(Object.entries(example).filter(([key]) => keys.has(key)));
  return {
    slug,
    name,
    description,
    input_schema: {
      type: 'object',
      properties: Object.fromEntries(inputs.map(({ key, property }) => [key, { ...property }])),
      required: inputs.filter(({ required }) => required).map(({ key }) => key),
    },
    ...(Object.keys(example_input).length > 0 ? { example_input } : {}),
    steps: steps.map(toStepDefinition),
    ...(outputs === null
      ? {}
      : { output: Object.fromEntries(outputs.map(({ name: label, value }) => [label, value])) }),
  };
}

/** Another starter as a new one: all of it, under a name and slug of its own. */
export const copyAsNewStarter = (definition: WorkflowDefinition): EditorState =>
  parseEditorState({
    ...definition,
    name: `${definition.name} (copy)`.slice(0, 80),
    slug: `${definition.slug.slice(0, 95)}-copy`,
  });

/** A beginning that works: one text, one picture made of it. */
export const blankState = (): EditorState => ({
  ...parseEditorState({
    input_schema: {
      properties: { prompt: { type: 'string', title: 'Prompt', 'x-multiline': true } },
      required: ['prompt'],
    },
    example_input: {},
    steps: [
      {
        key: 'picture',
        name: 'Picture',
        task: 'image.create',
        model: 'imgmodel-b-2',
        input: { prompt: '{{ input.prompt }}' },
      },
    ],
  }),
});

/** "Product clip, 2" → "product-clip-2" */
export const slugify = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replaceAll(/^-+|-+$/g, '');

/** "Product photo" → "product_photo", with a number where that is taken. */
export function uniqueKey(name: string, taken: readonly string[], fallback: string): string {
  const word =
    slugify(name)
      .replaceAll('-', '_')
      .replace(/^[^a-z]+/, '')
      .slice(0, 36) || fallback;
  if (!taken.includes(word)) return word;
  for (let number = 2; ; number += 1) if (!taken.includes(`${word}_${number}`)) return `${word}_${number}`;
}
