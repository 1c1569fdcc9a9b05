import type { Workflow, WorkflowNode } from './compile-workflow.ts';

interface Problem {
  type: string;
  message: string;
  details: string;
  extra_info: object;
}

interface NodeClass {
  /** Required inputs, and what they take; a link fits everywhere. */
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
  SaveImage: { inputs: { images: 'LINK', filename_prefix: 'STRING' }, output_node: true },
  PreviewImage: { inputs: { images: 'LINK' }, output_node: true },
};

const problem = (type: string, message: string, details: string): Problem => ({
  type,
  message,
  details,
  extra_info: {},
});

type NodeErrors = Record<string, { errors: Problem[]; dependent_outputs: string[]; class_type: string }>;

/** As `validate_prompt` of ComfyUI: an error where nothing can run, and the nodes that are wrong. */
export function validatePrompt(
  workflow: Workflow,
  files: ReadonlyMap<string, unknown>,
): { error: Problem | null; node_errors: NodeErrors } {
  for (const [id, { class_type }] of Object.entries(workflow)) {
    if (class_type in CLASSES) continue;
    const message = `Node '${class_type}' not found. The custom node may not be installed.`;
    return { error: problem('missing_node_type', message, `Node ID '#${id}'`), node_errors: {} };
  }
  const outputs = Object.keys(workflow).filter((id) => CLASSES[workflow[id]?.class_type ?? '']?.output_node);
  if (outputs.length === 0)
    return { error: problem('prompt_no_outputs', 'Prompt has no outputs', ''), node_errors: {} };
  const node_errors: NodeErrors = {};
  const good = outputs.filter((output) => {
    const wrong = needed(workflow, output).map((id) => [id, problemsOf(workflow[id], files)] as const);
    for (const [id, errors] of wrong.filter(([, found]) => found.length > 0)) {
      const class_type = workflow[id]?.class_type ?? '';
      const known = (node_errors[id] ??= { errors, dependent_outputs: [], class_type });
      known.dependent_outputs.push(output);
    }
    return wrong.every(([, found]) => found.length === 0);
  });
  const all = Object.values(node_errors).flatMap(({ errors }) => errors);
  const details = all.map((one) => `${one.message}: ${one.details}`).join('\n');
  const failed = problem('prompt_outputs_failed_validation', 'Prompt outputs failed validation', details);
  return { error: good.length === 0 ? failed : null, node_errors };
}

const isLink = (value: unknown): value is [string, number] =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'number';

/** A node and all that it hangs on. */
function needed(workflow: Workflow, id: string): string[] {
  const links = Object.values(workflow[id]?.inputs ?? {}).filter(isLink);
  return [...new Set([id, ...links.flatMap(([from]) => needed(workflow, from))])];
}

function problemsOf(node: WorkflowNode | undefined, files: ReadonlyMap<string, unknown>): Problem[] {
  const required = Object.entries(CLASSES[node?.class_type ?? '']?.inputs ?? {});
  return required.flatMap(([name, takes]) => {
    const value = node?.inputs[name];
    if (value === undefined) return problem('required_input_missing', 'Required input is missing', name);
    if (isLink(value)) return [];
    if (takes === 'LINK') return problem('bad_linked_input', 'Bad linked input, must be a length-2 list', name);
    if (takes === 'INT' && !Number.isInteger(value)) {
      return problem(
        'invalid_input_type',
        'Failed to convert an input value to a INT value',
        `${name}, ${String(value)}`,
      );
    }
    if (takes !== 'FILE' || files.has(String(value))) return [];
    const details = `${name} - Invalid image file: ${String(value)}`;
    return problem('custom_validation_failed', 'Custom validation failed for node', details);
  });
}
