import { MappingSyntaxError } from '../mapping/expression.ts';
import type { MappingContext } from '../mapping/mapping-context.ts';
import { compileTextTemplate, parseTemplate } from '../mapping/template.ts';

/** One node of a workflow in ComfyUI's API format. An input is a value, or a link: `[node, output]`. */
export interface ComfyUiNode {
  class_type: string;
  inputs: Readonly<Record<string, unknown>>;
  [more: string]: unknown;
}

/** A workflow as ComfyUI exports it with “Export (API)”: nodes by their ids. */
export type ComfyUiWorkflow = Readonly<Record<string, ComfyUiNode>>;

/** Fills the placeholders in. @throws {EngineError} as a `Mapping` does */
export type ComfyUiWorkflowTemplate = (context: MappingContext) => Promise<ComfyUiWorkflow>;

type Resolver = (context: MappingContext) => unknown;

/**
 * A workflow whose texts may hold `{{ expression }}` in the inputs of its nodes. A text that is one placeholder and
 * nothing else becomes what the expression gives, of any type; an input for which it gives nothing is left out.
 * @throws {MappingSyntaxError}
 */
export function compileComfyUiWorkflow(workflow: ComfyUiWorkflow): ComfyUiWorkflowTemplate {
  const nodes = Object.entries(workflow).map(([id, node]) => [id, node, compileInputs(id, node)] as const);
  return async (context) => {
    const filled = nodes.map(async ([id, node, fill]) => [id, { ...node, inputs: await fill(context) }] as const);
    return Object.fromEntries(await Promise.all(filled)) as ComfyUiWorkflow;
  };
}

function compileInputs(id: string, node: ComfyUiNode): Resolver {
  try {
    return compileValue(node.inputs);
  } catch (error) {
    if (!(error instanceof MappingSyntaxError)) throw error;
    throw new MappingSyntaxError(`has a placeholder in node ${id} (${node.class_type}) that ${error.message}`, {
      cause: error,
    });
  }
}

function compileValue(value: unknown): Resolver {
  if (typeof value === 'string') return compileText(value);
  if (Array.isArray(value)) {
    const items = value.map(compileValue);
    return async (context) => (await resolveAll(items, context)).map((item) => item ?? null);
  }
  if (typeof value !== 'object' || value === null) return () => value;
  const names = Object.keys(value);
  const fills = Object.values(value).map(compileValue);
  return async (context) => {
    const values = await resolveAll(fills, context);
    return Object.fromEntries(names.map((name, at) => [name, values[at]]).filter(([, part]) => part !== undefined));
  };
}

const resolveAll = (fills: readonly Resolver[], context: MappingContext): Promise<unknown[]> =>
  Promise.all(fills.map((fill) => fill(context)));

function compileText(text: string): Resolver {
  const parts = parseTemplate(text);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return typeof only === 'string' ? () => only : only;
  return compileTextTemplate(text);
}
