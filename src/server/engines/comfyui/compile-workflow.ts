import { MappingSyntaxError } from '../mapping/expression.ts';
import type { MappingContext } from '../mapping/mapping-context.ts';
import { compileTemplate, parseTemplate } from '../mapping/template.ts';

/** One node of a workflow in ComfyUI's API format. An input is a value, or a link: `[node, output]`. */
export interface WorkflowNode {
  class_type: string;
  inputs: Readonly<Record<string, unknown>>;
  [more: string]: unknown;
}

/** A workflow as ComfyUI exports it with “Export (API)”: nodes by their ids. */
export type Workflow = Readonly<Record<string, WorkflowNode>>;

/** Fills the placeholders in. @throws {EngineError} as a `Mapping` does */
export type WorkflowTemplate = (context: MappingContext) => Promise<Workflow>;

type Fill = (context: MappingContext) => unknown;

/**
 * A workflow whose texts may hold `{{ expression }}` in the inputs of its nodes. A text that is one placeholder and
 * nothing else becomes what the expression gives, of any type; an input for which it gives nothing is left out.
 * @throws {MappingSyntaxError}
 */
export function compileWorkflow(workflow: Workflow): WorkflowTemplate {
  const nodes = Object.entries(workflow).map(([id, node]) => [id, node, compileInputs(id, node)] as const);
  return async (context) => {
    const filled = nodes.map(async ([id, node, fill]) => [id, { ...node, inputs: await fill(context) }] as const);
    return Object.fromEntries(await Promise.all(filled)) as Workflow;
  };
}

function compileInputs(id: string, node: WorkflowNode): Fill {
  try {
    return compileValue(node.inputs);
  } catch (error) {
    if (!(error instanceof MappingSyntaxError)) throw error;
    throw new MappingSyntaxError(`has a placeholder in node ${id} (${node.class_type}) that ${error.message}`, {
      cause: error,
    });
  }
}

function compileValue(value: unknown): Fill {
  if (typeof value === 'string') return compileText(value);
  if (Array.isArray(value)) {
    const items = value.map(compileValue);
    return async (context) => (await fillAll(items, context)).map((item) => item ?? null);
  }
  if (typeof value !== 'object' || value === null) return () => value;
  const names = Object.keys(value);
  const fills = Object.values(value).map(compileValue);
  return async (context) => {
    const values = await fillAll(fills, context);
    return Object.fromEntries(names.map((name, at) => [name, values[at]]).filter(([, part]) => part !== undefined));
  };
}

const fillAll = (fills: readonly Fill[], context: MappingContext): Promise<unknown[]> =>
  Promise.all(fills.map((fill) => fill(context)));

function compileText(text: string): Fill {
  const parts = parseTemplate(text);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return typeof only === 'string' ? () => only : only;
  return compileTemplate(text);
}
