import * as z from 'zod/mini';
import { EngineError } from '#server/models/engine/engine.ts';
import type { UpstreamErrorResponse } from '#server/models/engine/upstream-errors.ts';
import { type ComfyUiHistoryEntry, nodeErrorsSchema } from './comfyui-schemas.ts';

const rejectionSchema = z.object({
  error: z.union([z.string(), z.object({ message: z.string(), details: z.nullish(z.string()) })]),
  node_errors: nodeErrorsSchema,
});

type Redact = (text: string) => string;
type NodeErrors = z.infer<typeof nodeErrorsSchema>;

/** Explains why ComfyUI rejected a prompt: the nodes that it can't run, each with its reason. */
export function rejectedPromptError({ body, cause }: UpstreamErrorResponse, redact: Redact): EngineError | null {
  const { data } = rejectionSchema.safeParse(body);
  if (!data) return null;
  const nodeErrors = formatNodeErrors(data.node_errors);
  const reason = typeof data.error === 'string' ? data.error : formatReason(data.error);
  return new EngineError('engine_failed', `ComfyUI can’t run this workflow: ${redact(nodeErrors || reason)}.`, {
    cause,
  });
}

/** ComfyUI accepts a prompt although it skips the branches of invalid nodes. */
export function rejectedNodesError(errors: NodeErrors, redact: Redact): EngineError | null {
  const nodeErrors = formatNodeErrors(errors);
  return nodeErrors === ''
    ? null
    : new EngineError('engine_failed', `ComfyUI can’t run the whole workflow: ${redact(nodeErrors)}.`);
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

/** @returns null when the prompt succeeded */
export function failedPromptError(status: ComfyUiHistoryEntry['status'], redact: Redact): EngineError | null {
  if (!status || status.status_str !== 'error') return null;
  const messages = new Map(status.messages.map(([event, data]) => [event, data]));
  if (messages.has('execution_interrupted')) {
    return stoppedPromptError('ComfyUI');
  }
  return (
    executionError(messages.get('execution_error'), redact) ??
    new EngineError('engine_failed', 'ComfyUI failed without an error message.', { retryable: true })
  );
}

/** @param where where the job was stopped: `ComfyUI` */
export const stoppedPromptError = (where: string): EngineError =>
  new EngineError('engine_failed', `The job was stopped in ${where} before it completed.`, { retryable: true });

/** Explains why a node failed. @returns null when the details are missing */
export function executionError(details: unknown, redact: Redact): EngineError | null {
  const { data } = executionErrorSchema.safeParse(details);
  if (!data) return null;
  const detail = `node ${data.node_id} (${data.node_type}): ${redact(data.exception_message)}`;
  const cause = new Error(redact(`${data.exception_type} in ${detail}`));
  if (/OutOfMemory|out of memory/i.test(data.exception_type + data.exception_message)) {
    const message = 'ComfyUI ran out of graphics memory. Try a smaller size or fewer references.';
    return new EngineError('engine_failed', message, { retryable: true, cause });
  }
  return new EngineError('engine_failed', `ComfyUI failed at ${detail.replace(/\.?$/, '.')}`, { cause });
}
