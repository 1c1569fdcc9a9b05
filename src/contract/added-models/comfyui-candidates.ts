import { isJson, type Json, jsonAt } from '../json-value.ts';
import type { FieldSpec } from '../task.ts';
import { cleanText, fieldBase, fieldGroup, isFieldName, wordsOf } from './fields/describe-field.ts';
import type { Conversion } from './fields/field-reading.ts';
import { readField } from './fields/read-field.ts';
import { SchemaError } from './schema-error.ts';
import { SCHEMA_LIMITS } from './schema-limits.ts';

/** An input of a node of a workflow. */
export interface ComfyInput {
  node: string;
  input: string;
}

/** An input that can become a field, or the reason why it can't. */
export interface ComfyCandidate extends ComfyInput {
  node_title: string;
  class_type: string;
  /** The workflow’s own value is its default. */
  field: FieldSpec | null;
  conversion?: Conversion | undefined;
  reason: string | null;
}

const MAX_NODES = 400;

export interface ComfyNode {
  id: string;
  class_type: string;
  title: string;
  inputs: Json;
  info: unknown;
}

export function readNodes(workflow: unknown, objectInfo: unknown): ComfyNode[] {
  if (!isJson(workflow) || Array.isArray(workflow['nodes']))
    throw new SchemaError('This is not a workflow in API format. In ComfyUI, choose Workflow → Export (API).');
  const entries = Object.entries(workflow);
  if (entries.length === 0 || entries.length > MAX_NODES)
    throw new SchemaError(`A workflow has 1 to ${MAX_NODES} nodes.`);
  return entries.map(([id, node]) => {
    const [class_type, inputs] = [jsonAt(node, 'class_type'), jsonAt(node, 'inputs')];
    if (typeof class_type !== 'string' || !isJson(inputs))
      throw new SchemaError(`“${cleanText(id, 40)}” is not a node in API format.`);
    const title =
      cleanText(jsonAt(node, '_meta', 'title'), SCHEMA_LIMITS.label_characters) ||
      cleanText(class_type, SCHEMA_LIMITS.label_characters);
    return { id, class_type, title, inputs, info: jsonAt(objectInfo, class_type) };
  });
}

/**
 * Lists what a server has to have for a workflow, each class once.
 * @throws {SchemaError} if it is no workflow in API format
 */
export const comfyClassTypes = (workflow: unknown): string[] => [
  ...new Set(readNodes(workflow, null).map(({ class_type }) => class_type)),
];

/** Partner nodes have inputs such as `model.duration`. */
export const lastSegment = (input: string): string => input.slice(input.lastIndexOf('.') + 1);

/** @param title of its node, which names the value of a primitive node */
export const isSeedInput = (input: string, title: unknown = ''): boolean =>
  ['seed', 'noise_seed'].includes(lastSegment(input)) ||
  (input === 'value' && typeof title === 'string' && wordsOf(title).includes('seed'));

export const toFieldName = (input: string): string => input.replaceAll(/[^A-Za-z0-9_-]/g, '_');

/** An output of another node: `["4", 0]`. */
const isLink = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'number';

const UPLOADS = { image_upload: 'image', video_upload: 'video', audio_upload: 'audio' } as const;
const LOADERS: readonly (readonly [pattern: RegExp, kind: 'image' | 'video' | 'audio'])[] = [
  [/^(VHS_)?LoadVideo/, 'video'],
  [/^(VHS_)?LoadAudio/, 'audio'],
  [/^LoadImage/, 'image'],
];
const FILE_INPUTS = new Set(['image', 'video', 'audio', 'file']);

/** The kind of file that an input of a node is uploaded to. */
function uploadKind({ class_type }: ComfyNode, input: string, options: unknown): 'image' | 'video' | 'audio' | null {
  const flag = Object.entries(UPLOADS).find(([name]) => jsonAt(options, name) === true);
  if (flag) return flag[1];
  return FILE_INPUTS.has(input) ? (LOADERS.find(([pattern]) => pattern.test(class_type))?.[1] ?? null) : null;
}

/** What a node says about an input: its type or its options, and settings. */
function inputSpec({ info }: ComfyNode, input: string): { type: unknown; options: unknown } | null {
  const spec = jsonAt(info, 'input', 'required', input) ?? jsonAt(info, 'input', 'optional', input);
  return Array.isArray(spec) ? { type: spec[0], options: spec[1] } : null;
}

const TYPES: Readonly<Record<string, string>> = {
  STRING: 'string',
  INT: 'integer',
  FLOAT: 'number',
  BOOLEAN: 'boolean',
};

/** The JSON Schema of an input, with the workflow's value as its default. */
function toSchema(spec: ReturnType<typeof inputSpec>, value: unknown): Json | string {
  const options = isJson(spec?.options) ? spec.options : {};
  const common = { default: value, description: options['tooltip'] };
  const list = Array.isArray(spec?.type) ? spec.type : spec?.type === 'COMBO' ? options['options'] : null;
  if (Array.isArray(list)) {
    // A workflow can name a file that this server does not list.
    return { ...common, enum: list.includes(value) ? list : [value, ...(list as unknown[])] };
  }
  const named =
    typeof spec?.type === 'string'
      ? spec.type
          .split(',')
          .map((name) => TYPES[name])
          .find((type) => type !== undefined)
      : undefined;
  if (spec && named === undefined) return 'Its node takes a value that no field shows.';
  const type = named ?? typeof value;
  if (!Object.values(TYPES).includes(type)) return 'Its value is an object or a list.';
  return {
    ...common,
    type,
    minimum: options['min'],
    maximum: options['max'],
    ...(options['multiline'] === true ? { maxLength: SCHEMA_LIMITS.text_characters } : {}),
  };
}

function readCandidate(node: ComfyNode, input: string, value: unknown): ComfyCandidate {
  const candidate = { node: node.id, input, node_title: node.title, class_type: cleanText(node.class_type, 80) };
  const rejected = (reason: string): ComfyCandidate => ({ ...candidate, field: null, reason });
  const name = toFieldName(input);
  if (!isFieldName(name)) return rejected('Its name cannot be the name of a field.');
  const spec = inputSpec(node, input);
  const media = uploadKind(node, input, spec?.options);
  const title = { title: node.title === node.class_type ? undefined : node.title };
  if (media !== null) {
    const base = fieldBase(name, title, 'main');
    return {
      ...candidate,
      field: { ...base, kind: 'reference', media, required: true, with_role: false },
      reason: null,
    };
  }
  const schema = toSchema(spec, value);
  if (typeof schema === 'string') return rejected(schema);
  const context = { origin: 'other', category: null, overrides: {}, example: null, known: null, at: '' } as const;
  const reading = readField({ name, schema, required: false, context });
  if (reading.kind !== 'field') return rejected(reading.kind === 'unreadable' ? reading.reason : 'It is a constant.');
  const { field, conversion } = reading;
  const isText = field.kind === 'text';
  const label = isText && title.title ? { label: title.title } : {};
  // The seed of an exported workflow is the last one that was drawn.
  const isSeed = isSeedInput(input, node.title) && (field.kind === 'integer' || field.kind === 'number');
  return {
    ...candidate,
    field: {
      ...field,
      ...label,
      ...(isSeed ? { nullable: true, default: null } : {}),
      group: fieldGroup(name, isText),
    } as FieldSpec,
    conversion,
    reason: null,
  };
}

/**
 * Lists the inputs of a workflow that hold values of their own; nothing marks those that people may change.
 * @param objectInfo answer of `/object_info`
 * @throws {SchemaError}
 */
export const listComfyCandidates = (workflow: unknown, objectInfo: unknown): ComfyCandidate[] =>
  readNodes(workflow, objectInfo).flatMap((node) =>
    Object.entries(node.inputs).flatMap(([input, value]) => (isLink(value) ? [] : [readCandidate(node, input, value)])),
  );
