import { EngineError } from '#server/models/engine/engine.ts';
import { withFileFunction } from '#server/models/engine/mapping/build-input-with-files.ts';
import { MappingSyntaxError } from '#server/models/engine/mapping/expression.ts';
import { createMappingContext } from '#server/models/engine/mapping/mapping-context.ts';
import { splitPlaceholders } from '#server/models/engine/mapping/placeholders.ts';
import { type ComfyUiNode, type ComfyUiWorkflow, compileComfyUiWorkflow } from './compile-workflow.ts';
import { parseWorkflow, WorkflowError } from './parse-workflow.ts';
import { readSeed, type WorkflowBuilder } from './workflow-builder.ts';
import { bindTitles } from './workflow-titles.ts';
import { referenceTitles, workflowValues } from './workflow-values.ts';

export interface PreparedWorkflow {
  build: WorkflowBuilder;
  output_node: string | undefined;
  /** Words of its placeholders, such as `prompt`, `width` and `image_1`. */
  words: ReadonlySet<string>;
}

/** Prepares a workflow (JSON in API format) whose titles or placeholders take values. @throws {WorkflowError} */
export function prepareWorkflow(text: string): PreparedWorkflow {
  const exported = parseWorkflow(text);
  const { workflow, file_inputs, defaults, output_node } = bindTitles(exported);
  const template = compileOrExplain(workflow);
  const nodes = Object.entries(workflow).map(([id, node]) => [id, wordsOf(node.inputs)] as const);
  const words = new Set(nodes.flatMap(([, found]) => found));
  const withValues = new Set(nodes.filter(([, found]) => found.length > 0).map(([id]) => id));
  return {
    words,
    output_node,
    async build(job, nameReference) {
      for (const [title] of referenceTitles(job.references))
        if (!words.has(title) && !words.has('references')) throw unusedReferenceError(title);
      const extra = { seed: readSeed(job), values: workflowValues(job, exported) };
      const context = withFileFunction(createMappingContext(job, extra), job.references, nameReference);
      const filled = Object.entries(await template(context));
      const built = Object.fromEntries(
        filled.map(([id, node]) => [id, { ...node, inputs: { ...defaults.get(id), ...node.inputs } }]),
      );
      const unused = [...file_inputs].filter(([id, input]) => built[id]?.inputs[input] === undefined);
      return removeNodes(built, new Set(unused.map(([id]) => id)), withValues);
    },
  };
}

function compileOrExplain(workflow: ComfyUiWorkflow) {
  try {
    return compileComfyUiWorkflow(workflow);
  } catch (error) {
    if (!(error instanceof MappingSyntaxError)) throw error;
    throw new WorkflowError(`The workflow ${error.message}.`, { cause: error });
  }
}

function wordsOf(value: unknown): string[] {
  if (typeof value === 'string')
    return splitPlaceholders(value).flatMap((part) =>
      typeof part === 'string' ? [] : (part.expression.match(/[A-Za-z_]\w*/g) ?? []),
    );
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsOf) : [];
}

const unusedReferenceError = (title: string): EngineError =>
  new EngineError('invalid_media', `This model’s workflow has no place for ${title.replace('_', ' ')}.`);

/** Removes nodes, the inputs that link to them, and nodes outside `kept` that only pass on their output. */
function removeNodes(workflow: ComfyUiWorkflow, ids: ReadonlySet<string>, kept: ReadonlySet<string>): ComfyUiWorkflow {
  if (ids.size === 0) return workflow;
  const removed = new Set(ids);
  const remaining: Record<string, ComfyUiNode> = {};
  for (const [id, node] of Object.entries(workflow)) {
    if (ids.has(id)) continue;
    const inputs = Object.entries(node.inputs).filter(([, value]) => !(isLink(value) && ids.has(value[0])));
    const lostALink = inputs.length < Object.keys(node.inputs).length;
    const isUnused = lostALink && !kept.has(id) && !inputs.some(([, value]) => isLink(value));
    if (isUnused) removed.add(id);
    remaining[id] = { ...node, inputs: Object.fromEntries(inputs) };
  }
  const unused = new Set([...removed].filter((id) => !ids.has(id)));
  return removeNodes(remaining, unused, kept);
}

const isLink = (value: unknown): value is [string, number] =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number';
