import type { ComfyUiWorkflow, ComfyUiNode } from '#server/models/providers/comfyui/compile-workflow.ts';

interface NodeProblem {
  type: string;
  message: string;
  details: string;
  extra_info: object;
}

interface NodeClass {
  /** Types of the required inputs; a link fits everywhere. */
  inputs: Readonly<Record<string, 'INT' | 'STRING' | 'LINK' | 'FILE'>>;
  /** As `/object_info` has them. */
  optional?: Readonly<Record<string, readonly unknown[]>>;
  output_node?: true;
}

const CLASSES: Readonly<Record<string, NodeClass>> = {
  CheckpointLoaderSimple: { inputs: { ckpt_name: 'STRING' } },
  CLIPTextEncode: { inputs: { text: 'STRING', clip: 'LINK' } },
  EmptyLatentImage: { inputs: { width: 'INT', height: 'INT' } },
  KSampler: {
    inputs: { seed: 'INT', positive: 'LINK', latent_image: 'LINK' },
    optional: {
      negative: ['CONDITIONING'],
      steps: ['INT', { default: 20, min: 1, max: 10_000, tooltip: 'How many steps.' }],
      sampler_name: [['euler', 'heun']],
    },
  },
  LoadImage: { inputs: { image: 'FILE' } },
  LoadImageMask: { inputs: { image: 'FILE', channel: 'STRING' } },
  VAEEncode: { inputs: { pixels: 'LINK' } },
  VAEDecode: { inputs: { samples: 'LINK' } },
  PrimitiveString: { inputs: { value: 'STRING' } },
  PrimitiveInt: { inputs: { value: 'INT' } },
  PrimitiveBoolean: { inputs: { value: 'STRING' } },
  ImageScaleToTotalPixels: { inputs: { image: 'LINK' } },
  TextEncodeQwenImageEditPlus: { inputs: { clip: 'LINK', prompt: 'STRING' } },
  LoadVideo: { inputs: { file: 'FILE' } },
  LoadAudio: { inputs: { audio: 'FILE' } },
  ByteDance2ReferenceNodeV2: { inputs: { 'model.prompt': 'STRING', 'model.duration': 'INT' } },
  SaveVideo: { inputs: { video: 'LINK', filename_prefix: 'STRING' }, output_node: true },
  SaveImage: { inputs: { images: 'LINK', filename_prefix: 'STRING' }, output_node: true },
  SaveAudio: { inputs: { audio: 'LINK', filename_prefix: 'STRING' }, output_node: true },
  VHS_VideoCombine: { inputs: { images: 'LINK', filename_prefix: 'STRING' }, output_node: true },
  SaveGLB: { inputs: { mesh: 'LINK' }, output_node: true },
  PreviewAny: { inputs: { source: 'LINK' }, output_node: true },
  PreviewImage: { inputs: { images: 'LINK' }, output_node: true },
};

const UPLOAD_FLAGS: Readonly<Record<string, string>> = {
  LoadImage: 'image_upload',
  LoadVideo: 'video_upload',
  LoadAudio: 'audio_upload',
};

function inputInfo(class_type: string, name: string, type: NodeClass['inputs'][string]): unknown[] {
  if (type === 'FILE') return [['example.png'], { [UPLOAD_FLAGS[class_type] ?? 'image_upload']: true }];
  if (type === 'LINK') return ['CONDITIONING'];
  return type === 'INT'
    ? ['INT', { default: 0, min: 0, max: 18_446_744_073_709_552_000 }]
    : ['STRING', { multiline: ['text', 'prompt', 'value'].includes(name) }];
}

/** `/object_info`, or that of one class; empty for a class that is not installed. */
export const fakeObjectInfo = (only?: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(CLASSES).flatMap(([class_type, { inputs, optional = {}, output_node = false }]) => {
      if (only !== undefined && only !== class_type) return [];
      const required = Object.fromEntries(
        Object.entries(inputs).map(([name, type]) => [name, inputInfo(class_type, name, type)]),
      );
      return [[class_type, { input: { required, optional }, output_node, name: class_type }]];
    }),
  );

/** What output nodes show, and where its files are. */
const OUTPUTS: Readonly<Record<string, { list: string; extension: string; folder: string }>> = {
  SaveImage: { list: 'images', extension: 'png', folder: 'output' },
  PreviewImage: { list: 'images', extension: 'png', folder: 'temp' },
  SaveVideo: { list: 'images', extension: 'mp4', folder: 'output' },
  VHS_VideoCombine: { list: 'gifs', extension: 'mp4', folder: 'output' },
  SaveAudio: { list: 'audio', extension: 'flac', folder: 'output' },
  SaveGLB: { list: '3d', extension: 'glb', folder: 'output' },
};

/** `outputs` of the history. @param nameFile the name of the output with an index */
export const fakePromptOutputs = (
  workflow: ComfyUiWorkflow,
  count: number,
  file: { subfolder: string; nameFile(node: string, index: number, extension: string): string },
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(count === 0 ? {} : workflow).flatMap(([id, { class_type }]): [string, object][] => {
      if (class_type === 'PreviewAny') return [[id, { text: ['A pear on a table.'] }]];
      const output = OUTPUTS[class_type];
      if (!output) return [];
      const { list, extension, folder: type } = output;
      const items = Array.from({ length: count }, (_, index) => ({
        filename: file.nameFile(id, index, extension),
        subfolder: file.subfolder,
        type,
      }));
      return [[id, { [list]: items, animated: [false] }]];
    }),
  );

const createProblem = (type: string, message: string, details: string): NodeProblem => ({
  type,
  message,
  details,
  extra_info: {},
});

type NodeErrors = Record<string, { errors: NodeProblem[]; dependent_outputs: string[]; class_type: string }>;

/** Follows `validate_prompt` of ComfyUI. */
export function validateFakePrompt(
  workflow: ComfyUiWorkflow,
  files: ReadonlyMap<string, unknown>,
): { error: NodeProblem | null; node_errors: NodeErrors } {
  for (const [id, { class_type }] of Object.entries(workflow)) {
    if (class_type in CLASSES) continue;
    const message = `Node '${class_type}' not found. The custom node may not be installed.`;
    return { error: createProblem('missing_node_type', message, `Node ID '#${id}'`), node_errors: {} };
  }
  const outputs = Object.keys(workflow).filter((id) => CLASSES[workflow[id]?.class_type ?? '']?.output_node);
  if (outputs.length === 0)
    return { error: createProblem('prompt_no_outputs', 'Prompt has no outputs', ''), node_errors: {} };
  const node_errors: NodeErrors = {};
  const good = outputs.filter((output) => {
    const invalid = dependencyIds(workflow, output).map((id) => [id, validateNode(workflow[id], files)] as const);
    for (const [id, errors] of invalid.filter(([, found]) => found.length > 0)) {
      const class_type = workflow[id]?.class_type ?? '';
      const entry = (node_errors[id] ??= { errors, dependent_outputs: [], class_type });
      entry.dependent_outputs.push(output);
    }
    return invalid.every(([, found]) => found.length === 0);
  });
  const all = Object.values(node_errors).flatMap(({ errors }) => errors);
  const details = all.map((one) => `${one.message}: ${one.details}`).join('\n');
  const failed = createProblem('prompt_outputs_failed_validation', 'Prompt outputs failed validation', details);
  return { error: good.length === 0 ? failed : null, node_errors };
}

const isLink = (value: unknown): value is [string, number] =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'number';

/** The ids of a node and its transitive inputs. */
function dependencyIds(workflow: ComfyUiWorkflow, id: string): string[] {
  const links = Object.values(workflow[id]?.inputs ?? {}).filter(isLink);
  return [...new Set([id, ...links.flatMap(([from]) => dependencyIds(workflow, from))])];
}

function validateNode(node: ComfyUiNode | undefined, files: ReadonlyMap<string, unknown>): NodeProblem[] {
  const required = Object.entries(CLASSES[node?.class_type ?? '']?.inputs ?? {});
  return required.flatMap(([name, type]) => {
    const value = node?.inputs[name];
    if (value === undefined) return createProblem('required_input_missing', 'Required input is missing', name);
    if (isLink(value)) return [];
    if (type === 'LINK') return createProblem('bad_linked_input', 'Bad linked input, must be a length-2 list', name);
    if (type === 'INT' && !Number.isInteger(value)) {
      return createProblem(
        'invalid_input_type',
        'Failed to convert an input value to a INT value',
        `${name}, ${String(value)}`,
      );
    }
    if (type !== 'FILE' || files.has(String(value))) return [];
    const details = `${name} - Invalid image file: ${String(value)}`;
    return createProblem('custom_validation_failed', 'Custom validation failed for node', details);
  });
}
