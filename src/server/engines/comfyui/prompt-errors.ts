import * as z from 'zod/mini';
import { EngineError } from '../engine.ts';
import type { UpstreamErrorResponse } from '../upstream-errors.ts';
import { type ComfyUiHistoryEntry, nodeErrorsSchema } from './comfyui-schemas.ts';

const rejectionSchema = z.object({
  error: z.union([z.string(), z.object({ message: z.string(), details: z.nullish(z.string()) })]),
  node_errors: nodeErrorsSchema,
});

type Redact = (text: string) => string;
type NodeErrors = z.infer<typeof nodeErrorsSchema>;

/** Why ComfyUI did not take a prompt: the nodes that it can't run, each with its reason. */
export function rejectedPromptError({ body, cause }: UpstreamErrorResponse, clean: Redact): EngineError | null {
  const { data } = rejectionSchema.safeParse(body);
  if (!data) return null;
  const nodes = formatNodeErrors(data.node_errors);
  const all = typeof data.error === 'string' ? data.error : formatReason(data.error);
  return new EngineError('engine_failed', `ComfyUI can’t run this workflow: ${clean(nodes || all)}.`, { cause });
}

/** ComfyUI took a prompt, but leaves out what hangs on these nodes. @returns null where there are none */
export function rejectedNodesError(errors: NodeErrors, clean: Redact): EngineError | null {
  const nodes = formatNodeErrors(errors);
  return nodes === ''
    ? null
    : new EngineError('engine_failed', `ComfyUI can’t run the whole workflow: ${clean(nodes)}.`);
}

const formatNodeErrors = (errors: NodeErrors): string =>
  Object.entries(errors)
    .map(([id, node]) => `node ${id} (${node.class_type}): ${node.errors.map(formatReason).join(', ')}`)
    .join('; ');

const formatReason = ({ message, details }: { message: string; details?: string | null | undefined }): string =>
  details ? `${message} (${details})` : message;

const executionErrorSchema = z.object({
  node_id: z.string(),
  node_type: z.string(),
  exception_message: z.string(),
  exception_type: z.string(),
});

/** Why a prompt ended without success. @returns null where it has succeeded */
export function failedPromptError(status: ComfyUiHistoryEntry['status'], clean: Redact): EngineError | null {
  if (!status || status.status_str !== 'error') return null;
  const said = new Map(status.messages.map(([event, data]) => [event, data]));
  if (said.has('execution_interrupted')) {
    return new EngineError('engine_failed', 'The work was stopped in ComfyUI before it ended.', { retryable: true });
  }
  const { data } = executionErrorSchema.safeParse(said.get('execution_error'));
  if (!data) return new EngineError('engine_failed', 'ComfyUI failed without saying why.', { retryable: true });
  const why = `node ${data.node_id} (${data.node_type}): ${clean(data.exception_message)}`;
  const cause = new Error(clean(`${data.exception_type} in ${why}`));
  if (/OutOfMemory|out of memory/i.test(data.exception_type + data.exception_message)) {
    const message = 'ComfyUI ran out of graphics memory. Try a smaller size or fewer references.';
    return new EngineError('engine_failed', message, { retryable: true, cause });
  }
  return new EngineError('engine_failed', `ComfyUI failed at ${why.replace(/\.?$/, '.')}`, { cause });
}
