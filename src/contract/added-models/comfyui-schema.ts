import { isJson, type Json, jsonAt } from '../json-value.ts';
import type { FieldSpec } from '../task.ts';
import { cleanText, fieldBase, fieldGroup, isFieldName, wordsOf } from './fields/describe-field.ts';
import type { Conversion } from './fields/field-reading.ts';
import { SCHEMA_LIMITS } from './schema-limits.ts';
import { isMaskName, type MaskPolarity } from './fields/mask-polarity.ts';
import type { NormalizedModel } from './fields/normalize-schema.ts';
import { tieMasks } from './fields/tie-masks.ts';
import type { OutputHints, OutputKind } from './output-hints.ts';
import { readField } from './fields/read-field.ts';
import { hashSchema } from './schema-hash.ts';
import { SchemaError } from './schema-error.ts';

/** An input of a node of a workflow. */
interface ComfyInput {
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

/** An input that the administrator chose. */
export interface ChosenComfyInput extends ComfyInput {
  /** Unique among the fields; by default the input’s own name, with the node’s number where two are the same. */
  name?: string;
  label?: string;
}

export interface NormalizedComfyWorkflow extends NormalizedModel {
  /** Where the value of each field goes. */
  targets: Readonly<Record<string, ComfyInput>>;
}

const MAX_NODES = 400;

interface ComfyNode {
  id: string;
  class_type: string;
  title: string;
  inputs: Json;
  info: unknown;
}

function readNodes(workflow: unknown, objectInfo: unknown): ComfyNode[] {
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

const toFieldName = (input: string): string => input.replaceAll(/[^A-Za-z0-9_-]/g, '_');

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

/** Animated WebP and PNG files are images. */
const OUTPUT_KINDS: readonly (readonly [pattern: RegExp, kind: OutputKind])[] = [
  [/video|webm/i, 'video'],
  [/audio/i, 'audio'],
  [/image|animated/i, 'image'],
  [/glb|3d|mesh/i, 'file'],
];

function readOutputs(nodes: readonly ComfyNode[]): OutputHints {
  const outputs = nodes.filter(
    ({ class_type, info }) => jsonAt(info, 'output_node') === true || /^(Save|Preview)|VideoCombine/.test(class_type),
  );
  const isText = ({ class_type }: ComfyNode) => /text|PreviewAny/i.test(class_type);
  const files = outputs
    .filter((node) => !isText(node))
    .map(({ id, class_type }) => {
      const kind = OUTPUT_KINDS.find(([pattern]) => pattern.test(class_type))?.[1] ?? null;
      return { path: id, kind, many: true };
    });
  return { files, has_data: outputs.some(isText) };
}

/**
 * Normalizes a workflow to the inputs that the administrator chose.
 * @throws {SchemaError} if one of them is no candidate, or two have the same name
 */
export async function normalizeComfyWorkflow(
  workflow: unknown,
  objectInfo: unknown,
  chosen: readonly ChosenComfyInput[],
): Promise<NormalizedComfyWorkflow> {
  if (chosen.length > SCHEMA_LIMITS.fields) throw new SchemaError(`A form has at most ${SCHEMA_LIMITS.fields} fields.`);
  const nodes = readNodes(workflow, objectInfo);
  const candidates = listComfyCandidates(workflow, objectInfo);
  const targets: Record<string, ComfyInput> = {};
  const conversions: Record<string, Conversion> = {};
  const fields = chosen.map(({ node, input, name, label }): FieldSpec => {
    const { field, conversion } = candidates.find((each) => each.node === node && each.input === input) ?? {};
    if (!field) throw new SchemaError(`“${cleanText(input, 40)}” of node ${cleanText(node, 20)} cannot be a field.`);
    const isShared = chosen.filter((each) => toFieldName(each.input) === toFieldName(input)).length > 1;
    const own = name ?? (isShared ? toFieldName(`${input}_${node}`) : field.name);
    if (!isFieldName(own) || Object.hasOwn(targets, own))
      throw new SchemaError(`“${cleanText(own, 40)}” is the name of two fields, or of none.`);
    targets[own] = { node, input };
    if (conversion) conversions[own] = conversion;
    return {
      ...field,
      name: own,
      ...(label === undefined ? {} : { label: cleanText(label, SCHEMA_LIMITS.label_characters) }),
    };
  });
  return {
    contract: { fields: tieMasks(fields, findMasks(chosen, candidates, fields)), rules: [] },
    hidden: {},
    advanced: null,
    media: Object.fromEntries(fields.flatMap((field) => ('media' in field ? [[field.name, field.media]] : []))),
    conversions,
    sends_null: [],
    notes: {},
    targets,
    output: readOutputs(nodes),
    hash: await hashSchema({ workflow, fields: fields.map(withoutTexts), taken: requiredInputs(nodes) }),
  };
}

/** Loaders of masks read the color or the transparency of a file, which has both. */
function findMasks(
  chosen: readonly ChosenComfyInput[],
  candidates: readonly ComfyCandidate[],
  fields: readonly FieldSpec[],
): Record<string, MaskPolarity> {
  const masks = chosen.flatMap(({ node, input }, index) => {
    const { class_type = '', node_title = '' } = candidates.find((e) => e.node === node && e.input === input) ?? {};
    const { name, kind } = fields[index] ?? {};
    const isMask = class_type === 'LoadImageMask' || isMaskName(node_title) || isMaskName(name ?? '');
    return isMask && kind === 'reference' && name !== undefined ? [[name, 'transparent'] as const] : [];
  });
  return Object.fromEntries(masks);
}

const withoutTexts = ({ label: _label, help: _help, ...field }: FieldSpec) => field;

/** The names of what each class needs: lists of files change with every file on the server. */
const requiredInputs = (nodes: readonly ComfyNode[]): Json =>
  Object.fromEntries(
    nodes.map(({ class_type, info }) => [class_type, Object.keys(jsonAt(info, 'input', 'required') ?? {}).sort()]),
  );
