import { WorkflowError } from './workflow-error.ts';
import { EngineError } from '../engine.ts';
import { MappingSyntaxError } from '../mapping/expression.ts';
import { withFileFunction } from '../mapping/file-function.ts';
import { createMappingContext } from '../mapping/mapping-context.ts';
import { splitPlaceholders } from '../mapping/placeholders.ts';
import { compileComfyUiWorkflow, type ComfyUiWorkflow } from './compile-workflow.ts';
import { removeNodes } from './remove-nodes.ts';
import { parseWorkflow } from './parse-workflow.ts';
import { readSeed, type WorkflowBuilder } from './workflow-builder.ts';
import { bindTitles } from './workflow-titles.ts';
import { referenceTitles, workflowValues } from './workflow-values.ts';

/** A pasted workflow that is ready to run. */
export interface PreparedWorkflow {
  build: WorkflowBuilder;
  output_node: string | undefined;
  /** Words of its placeholders, such as `prompt`, `width` and `image_1`. */
  words: ReadonlySet<string>;
}

/**
 * Prepares a workflow in API format whose node titles or placeholders take the values of a request.
 * @param text JSON
 * @throws {WorkflowError}
 */
export function prepareWorkflow(text: string): PreparedWorkflow {
  const exported = parseWorkflow(text);
  const { workflow, file_inputs, defaults, output_node } = bindTitles(exported);
  const template = compileOrExplain(workflow);
  const nodes = Object.entries(workflow).map(([id, node]) => [id, wordsOf(node.inputs)] as const);
  const words = new Set(nodes.flatMap(([, found]) => found));
  const with_values = new Set(nodes.filter(([, found]) => found.length > 0).map(([id]) => id));
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
      return removeNodes(built, new Set(unused.map(([id]) => id)), with_values);
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
