import { MappingSyntaxError } from '#server/models/engine/mapping/expression.ts';
import type { MappingContext } from '#server/models/engine/mapping/mapping-context.ts';
import { compileTextTemplate, parseTemplate } from '#server/models/engine/mapping/placeholders.ts';

/** A node in ComfyUI's API format. An input is a value or a link: `[node, output]`. */
export interface ComfyUiNode {
  class_type: string;
  inputs: Readonly<Record<string, unknown>>;
  [property: string]: unknown;
}

export type ComfyUiWorkflow = Readonly<Record<string, ComfyUiNode>>;

export type ComfyUiWorkflowTemplate = (context: MappingContext) => Promise<ComfyUiWorkflow>;

type Resolver = (context: MappingContext) => unknown;

/** Compiles a workflow whose node inputs may contain `{{ expression }}`. @throws {MappingSyntaxError} */
export function compileComfyUiWorkflow(workflow: ComfyUiWorkflow): ComfyUiWorkflowTemplate {
  const nodes = Object.entries(workflow).map(([id, node]) => [id, node, compileInputs(id, node)] as const);
  return async (context) => {
    const resolved = nodes.map(
      async ([id, node, resolve]) => [id, { ...node, inputs: await resolve(context) }] as const,
    );
    return Object.fromEntries(await Promise.all(resolved)) as ComfyUiWorkflow;
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
  const resolvers = Object.values(value).map(compileValue);
  return async (context) => {
    const values = await resolveAll(resolvers, context);
    return Object.fromEntries(
      names.map((name, index) => [name, values[index]]).filter(([, item]) => item !== undefined),
    );
  };
}

const resolveAll = (resolvers: readonly Resolver[], context: MappingContext): Promise<unknown[]> =>
  Promise.all(resolvers.map((resolve) => resolve(context)));

function compileText(text: string): Resolver {
  const parts = parseTemplate(text);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return typeof only === 'string' ? () => only : only;
  return compileTextTemplate(text);
}
