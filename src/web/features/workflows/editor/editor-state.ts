import { isObject } from '#web/ui/is-object.ts';
import type { BodyInput } from '#contract/endpoints.ts';
import type { WorkflowDefinition } from '#contract/workflow-definition.ts';

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
  /** Values by field of the task; strings can contain `{{ expressions }}`. */
  input: Readonly<Record<string, unknown>>;
}

export interface EditorOutput {
  id: string;
  name: string;
  value: unknown;
}

/** A workflow being edited. Parts have IDs of their own, so that renaming or moving one keeps its identity. */
export interface EditorState {
  slug: string;
  name: string;
  description: string;
  inputs: readonly EditorInput[];
  steps: readonly EditorStep[];
  /** Null returns the files of the last steps. */
  outputs: readonly EditorOutput[] | null;
  example: Readonly<Record<string, unknown>>;
  /** Text of the JSON view while it is open; null in the form view. */
  json: string | null;
  /** `updated_at` of the workflow when editing began; null for a new one. */
  base: string | null;
  /** The slug follows the name until it is edited. */
  slugTyped: boolean;
  last_id: number;
}

export type StarterDefinitionInput = BodyInput<'create_workflow_starter'>;

export const nextPartId = (state: Pick<EditorState, 'last_id'>): { id: string; last_id: number } => ({
  id: `p${state.last_id + 1}`,
  last_id: state.last_id + 1,
});

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
const toTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export function starterShapeProblem(value: unknown): string | null {
  if (!isObject(value)) return 'A workflow is an object: { "slug": …, "name": …, "steps": [ … ] }.';
  if (!isObject(value['input_schema']) || !isObject(value['input_schema']['properties'] ?? {}))
    return '“input_schema” must be an object with “properties”.';
  if (!Object.values(value['input_schema']['properties'] ?? {}).every(isObject))
    return 'Each property of “input_schema” must be an object.';
  if (!Array.isArray(value['steps']) || !value['steps'].every(isObject)) return '“steps” must be a list of objects.';
  if (!isObject(value['output'] ?? {})) return '“output” must be an object or omitted.';
  if (!isObject(value['example_input'] ?? {})) return '“example_input” must be an object or omitted.';
  return null;
}

/** Values of the wrong type become empty; check `starterShapeProblem` first. @param base see `EditorState` */
export function parseEditorState(value: unknown, base: string | null = null): EditorState {
  const definition = isObject(value) ? value : {};
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
    slugTyped: toText(definition['slug']) !== '',
    last_id,
  };
}

/** Defaults are omitted to keep the JSON short. */
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

export const copyAsNewStarter = (definition: WorkflowDefinition): EditorState =>
  parseEditorState({
    ...definition,
    name: `${definition.name} (copy)`.slice(0, 80),
    slug: `${definition.slug.slice(0, 95)}-copy`,
  });

export const blankState = (): EditorState => ({
  ...parseEditorState({
    input_schema: {
      properties: { prompt: { type: 'string', title: 'Prompt', 'x-multiline': true } },
      required: ['prompt'],
    },
    example_input: {},
    steps: [
      {
        key: 'image',
        name: 'Image',
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
