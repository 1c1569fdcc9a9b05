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
  output_node?: true;
}

const CLASSES: Readonly<Record<string, NodeClass>> = {
  CheckpointLoaderSimple: { inputs: { ckpt_name: 'STRING' } },
  CLIPTextEncode: { inputs: { text: 'STRING', clip: 'LINK' } },
  EmptyLatentImage: { inputs: { width: 'INT', height: 'INT' } },
  KSampler: { inputs: { seed: 'INT', positive: 'LINK', latent_image: 'LINK' } },
  LoadImage: { inputs: { image: 'FILE' } },
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
  PreviewImage: { inputs: { images: 'LINK' }, output_node: true },
};

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
