import { type Json, jsonAt } from '../json-value.ts';
import type { FieldSpec } from '../task.ts';
import {
  type ComfyCandidate,
  type ComfyInput,
  type ComfyNode,
  listComfyCandidates,
  readNodes,
  toFieldName,
} from './comfyui-candidates.ts';
import { cleanText, isFieldName } from './fields/describe-field.ts';
import type { Conversion } from './fields/field-reading.ts';
import { isMaskName, type MaskPolarity } from './fields/mask-polarity.ts';
import type { NormalizedModel } from './fields/normalize-schema.ts';
import { tieMasks } from './fields/tie-masks.ts';
import type { OutputHints, OutputKind } from './output-hints.ts';
import { hashSchema } from './schema-hash.ts';
import { SchemaError } from './schema-error.ts';
import { SCHEMA_LIMITS } from './schema-limits.ts';

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
