import * as z from 'zod/mini';
import { isRecord } from '#server/models/engine/upstream-errors.ts';
import type { ComfyUiWorkflow } from './compile-workflow.ts';

/** A workflow that cannot be used. The message is a sentence for the administrator who pasted it. */
export class WorkflowError extends Error {
  override readonly name = 'WorkflowError';
}

export const workflowNode = z.looseObject({ class_type: z.string(), inputs: z.record(z.string(), z.unknown()) });

const EXPORT_HINT = 'In ComfyUI, choose Workflow → Export (API) and paste that file.';

/** @throws {WorkflowError} */
export function parseWorkflow(text: string): ComfyUiWorkflow {
  const value = parseJson(text);
  if (!isRecord(value)) throw new WorkflowError(`This is not a workflow. ${EXPORT_HINT}`);
  if (Array.isArray(value['nodes']))
    throw new WorkflowError(`This is the format of ComfyUI’s editor, which cannot be run. ${EXPORT_HINT}`);
  if (Object.keys(value).length === 0) throw new WorkflowError(`The workflow has no nodes. ${EXPORT_HINT}`);
  const nodes = Object.entries(value).map(([id, node]) => {
    const { data } = workflowNode.safeParse(node);
    if (data) return [id, data] as const;
    throw new WorkflowError(`This is not a workflow in API format: “${id}” is not a node. ${EXPORT_HINT}`);
  });
  return Object.fromEntries(nodes);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const isCut = error instanceof SyntaxError && /end of JSON input|Unterminated/i.test(error.message);
    throw new WorkflowError(
      isCut
        ? 'The workflow is incomplete: the JSON ends too early. Copy the whole file.'
        : `The workflow is not JSON. ${EXPORT_HINT}`,
      { cause: error },
    );
  }
}
