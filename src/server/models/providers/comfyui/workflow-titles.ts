import { isSeedInput, lastSegment } from '#contract/added-models/comfyui-candidates.ts';
import type { ComfyUiNode, ComfyUiWorkflow } from './compile-workflow.ts';
import { WorkflowError } from './parse-workflow.ts';

/** Inputs of a node that a titled value may go into, best first. */
const VALUE_INPUTS: Readonly<Record<string, readonly string[]>> = {
  prompt: ['prompt', 'text', 'value', 'string'],
  width: ['width', 'value'],
  height: ['height', 'value'],
  seed: ['seed', 'noise_seed', 'value'],
  duration_seconds: ['duration_seconds', 'duration', 'seconds', 'value'],
  frames: ['length', 'frames', 'num_frames', 'frame_count', 'value'],
  aspect_ratio: ['aspect_ratio', 'ratio', 'value', 'string'],
  resolution: ['resolution', 'value', 'string'],
  background: ['background', 'value', 'string'],
  output_format: ['output_format', 'format', 'value', 'string'],
  generate_audio: ['generate_audio', 'audio', 'value', 'boolean'],
};
const FILE_INPUTS = ['image', 'file', 'video', 'audio', 'first_frame', 'last_frame', 'value'];
const FILE_TITLE = /^((image|video|audio)_[1-9]\d?|first_frame|last_frame|mask)$/;
const SYNONYMS: Readonly<Record<string, string>> = { duration: 'duration_seconds', length: 'frames' };

export interface TitledWorkflow {
  workflow: ComfyUiWorkflow;
  /** Nodes that load a file: node id to the input that names it. */
  file_inputs: ReadonlyMap<string, string>;
  /** By node id: exported values, which stay where a request has none. */
  defaults: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** The node with the title `output`. */
  output_node: string | undefined;
}

/**
 * Replaces inputs of titled nodes by placeholders: the title `prompt` becomes `{{ values.prompt }}`. Without a title
 * `seed`, every fixed seed is replaced. @throws {WorkflowError} when a titled node has no input for its value
 */
export function bindTitles(workflow: ComfyUiWorkflow): TitledWorkflow {
  const fileInputs = new Map<string, string>();
  const defaults = new Map<string, Record<string, unknown>>();
  const entries = Object.entries(workflow);
  const hasSeed = entries.some(([, node]) => readTitles(node).includes('seed')) || mentionsSeed(workflow);
  const bound = entries.map(([id, node]) => {
    const inputs = { ...node.inputs };
    for (const title of readTitles(node)) {
      if (title === 'output') continue;
      const input = findInput(id, node, title);
      const isFile = FILE_TITLE.test(title);
      if (isFile) fileInputs.set(id, input);
      else defaults.set(id, { ...defaults.get(id), [input]: node.inputs[input] });
      inputs[input] = isFile ? `{{ $file(values.${title}) }}` : `{{ values.${title} }}`;
    }
    for (const [name, value] of hasSeed ? [] : Object.entries(node.inputs))
      if (isSeedInput(name) && typeof value === 'number') inputs[name] = '{{ values.seed }}';
    return [id, { ...node, inputs }] as const;
  });
  const outputNode = entries.find(([, node]) => readTitles(node).includes('output'))?.[0];
  return { workflow: Object.fromEntries(bound), file_inputs: fileInputs, defaults, output_node: outputNode };
}

/** Our names in a title, such as `width, height`; a title with any other word is only a title. */
export function readTitles(node: ComfyUiNode): string[] {
  const { title } = (node['_meta'] ?? {}) as { title?: unknown };
  if (typeof title !== 'string') return [];
  const names = title
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .map((name) => SYNONYMS[name] ?? name);
  const isOurs = (name: string) => Object.hasOwn(VALUE_INPUTS, name) || FILE_TITLE.test(name) || name === 'output';
  return names.every(isOurs) ? names : [];
}

/** Placeholders of other expressions choose their own seed. */
const mentionsSeed = (workflow: ComfyUiWorkflow): boolean =>
  JSON.stringify(Object.values(workflow).map(({ inputs }) => inputs))
    .split('{{')
    .slice(1)
    .some((expression) => /\bseed\b/.test(expression.split('}', 1)[0] ?? ''));

export function findInput(id: string, node: ComfyUiNode, title: string): string {
  const candidates = FILE_TITLE.test(title) ? FILE_INPUTS : (VALUE_INPUTS[title] ?? []);
  const free = Object.keys(node.inputs).filter((name) => !Array.isArray(node.inputs[name]));
  const found = candidates
    .map((candidate) => free.find((name) => lastSegment(name) === candidate))
    .find((name) => name !== undefined);
  if (found !== undefined) return found;
  const linked = Object.keys(node.inputs).some((name) => candidates.includes(lastSegment(name)));
  throw new WorkflowError(
    linked
      ? `Node ${id} (${node.class_type}) is titled “${title}”, but takes that value from another node. Title the other node instead.`
      : `Node ${id} (${node.class_type}) is titled “${title}”, but has no input for it. Its inputs are: ${free.join(', ') || 'none'}.`,
  );
}
