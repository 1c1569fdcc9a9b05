import * as z from 'zod/mini';
import { asInputOf } from '#contract/task-input.ts';
import type { RemoteService } from '#server/net/remote-service.ts';
import { withFileFunction } from '../mapping/file-function.ts';
import { buildInputWithFiles } from '../mapping/build-input-with-files.ts';
import { createMappingContext } from '../mapping/mapping-context.ts';
import { saveOutputs } from '../save-outputs.ts';
import type { PolledJob, UpstreamAdapter, UpstreamHandle, UpstreamEngineJob, UpstreamState } from '../upstream.ts';
import type { UpstreamErrorResponse } from '../upstream-errors.ts';
import { createUpstreamHttp, isNotFoundError } from '../upstream-http.ts';
import {
  promptAcceptedSchema,
  type ComfyUiHistoryEntry,
  comfyUiHistorySchema,
  parseComfyUiResponse,
  type ComfyUiQueue,
  type ComfyUiQueueItem,
  comfyUiQueueSchema,
} from './comfyui-schemas.ts';
import { compileComfyUiWorkflow, type ComfyUiWorkflow } from './compile-workflow.ts';
import { failedPromptError, rejectedNodesError, rejectedPromptError } from './prompt-errors.ts';
import { derivePromptId, deriveSeed } from './prompt-identity.ts';
import { listPromptOutputs } from './prompt-outputs.ts';
import { uploadToComfyUi } from './upload-to-comfyui.ts';
import { workflowProgress } from './workflow-progress.ts';

export interface ComfyUiAdapterOptions {
  service: RemoteService;
  api_key: string | null;
  workflow: ComfyUiWorkflow;
  output_node?: string | undefined;
  max_output_bytes?: number | undefined;
}

const PROGRESS_WAIT_MS = 2_000;

const handleSchema = z.object({ prompt_id: z.string() });

class PromptExistsError extends Error {}

const JOB_UNKNOWN_MESSAGE =
  'ComfyUI no longer knows this job: it was restarted, or its queue or history was cleared. The outputs may still be in its output folder.';

/**
 * Runs a workflow in ComfyUI. The prompt's id and seed derive from the submit key, so a repeated submit finds the
 * existing prompt or repeats the same work.
 * @throws {MappingSyntaxError} for a placeholder that is not JSONata
 */
export function createComfyUiAdapter(options: ComfyUiAdapterOptions): UpstreamAdapter {
  const { service, api_key, output_node } = options;
  const template = compileComfyUiWorkflow(options.workflow);
  const http = createUpstreamHttp({ service, api_key });
  const promptHttp = createUpstreamHttp({ service, api_key, mapError: mapPromptError });

  return {
    supports_submit_key: true,
    async submit(job) {
      const id = derivePromptId(job.submit_key);
      const existing_id = await findPrompt(id, job.signal);
      if (existing_id !== null) return acceptedState(existing_id, 0);
      return prompt(id, await prepare(job), job.signal);
    },
    async poll(job, handle) {
      const id = readPromptId(handle);
      const queue = await readQueue(job.signal);
      if (findQueueItem(queue.queue_pending, id)) return acceptedState(id, 0);
      const running = findQueueItem(queue.queue_running, id);
      if (running) return acceptedState(id, await readProgress(running, job.signal));
      // A prompt is in the history before it leaves the queue.
      const history_entry = await readHistory(id, job.signal);
      return history_entry
        ? readResult(history_entry, job)
        : { status: 'unclear', reason: JOB_UNKNOWN_MESSAGE, result: null };
    },
    cancel: (handle, signal) => stop(readPromptId(handle), signal),
  };

  function prepare(job: UpstreamEngineJob): Promise<unknown> {
    const seed = asInputOf(job.task, job.input).seed ?? deriveSeed(job.submit_key);
    return buildInputWithFiles(
      (nameReference) => template(withFileFunction(createMappingContext(job, { seed }), job.references, nameReference)),
      (reference) => uploadToComfyUi(http, reference, job.signal),
    );
  }

  async function prompt(id: string, workflow: unknown, signal: AbortSignal): Promise<UpstreamState> {
    try {
      const json = { prompt: workflow, prompt_id: id, client_id: id };
      const response = await promptHttp.requestJson('/prompt', { method: 'POST', json, signal });
      const { prompt_id, node_errors } = parseComfyUiResponse(promptAcceptedSchema, response);
      const rejection = rejectedNodesError(node_errors, http.redact);
      if (!rejection) return acceptedState(prompt_id, 0);
      await stop(prompt_id, signal);
      throw rejection;
    } catch (error) {
      if (error instanceof PromptExistsError) return acceptedState(id, 0);
      throw error;
    }
  }

  async function stop(id: string, signal: AbortSignal): Promise<void> {
    await http.requestVoid('/queue', { method: 'POST', json: { delete: [id] }, signal });
    const { queue_running } = await readQueue(signal);
    if (!findQueueItem(queue_running, id)) return;
    // Older servers ignore the id and stop whatever runs, which is this prompt.
    await http.requestVoid('/interrupt', { method: 'POST', json: { prompt_id: id }, signal });
  }

  async function findPrompt(id: string, signal: AbortSignal): Promise<string | null> {
    const { queue_pending, queue_running } = await readQueue(signal);
    const queued = findQueueItem(queue_pending, id) ?? findQueueItem(queue_running, id);
    return queued?.[1] ?? ((await readHistory(id, signal)) ? id : null);
  }

  /** The server reports progress only to the client that queued the prompt. */
  async function readProgress(
    [, id, workflow, { client_id }]: ComfyUiQueueItem,
    signal: AbortSignal,
  ): Promise<number | null> {
    const path = `/ws?${new URLSearchParams({ clientId: String(client_id) }).toString()}`;
    return http.listen(path, { signal, timeout_ms: PROGRESS_WAIT_MS }, (message) =>
      workflowProgress(message, id, workflow),
    );
  }

  async function readQueue(signal: AbortSignal): Promise<ComfyUiQueue> {
    return parseComfyUiResponse(comfyUiQueueSchema, await http.requestJson('/queue', { signal }));
  }

  async function readHistory(id: string, signal: AbortSignal): Promise<ComfyUiHistoryEntry | undefined> {
    return parseComfyUiResponse(
      comfyUiHistorySchema,
      await http.requestJson(`/history/${encodeURIComponent(id)}`, { signal }),
    )[id];
  }

  async function readResult({ outputs, status }: ComfyUiHistoryEntry, job: PolledJob): Promise<UpstreamState> {
    const failed = failedPromptError(status, http.redact);
    if (failed) throw failed;
    const paths = listPromptOutputs(outputs, output_node);
    if (paths.length === 0) return { status: 'unclear', reason: noOutputMessage(output_node), result: null };
    const outputs_to_save = paths.map((url) => ({ url }));
    try {
      const files = await saveOutputs(http, outputs_to_save, job, options.max_output_bytes);
      return { status: 'succeeded', result: { files, data: null }, cost_micro_usd: null };
    } catch (error) {
      if (!isNotFoundError(error)) throw error;
      return { status: 'unclear', reason: 'ComfyUI reported success but no longer has the file.', result: null };
    }
  }

  function mapPromptError(response: UpstreamErrorResponse): Error | null {
    if (response.status === 409) return new PromptExistsError(undefined, { cause: response.cause });
    return response.status === 400 ? rejectedPromptError(response, http.redact) : null;
  }
}

const acceptedState = (prompt_id: string, progress: number | null): UpstreamState => ({
  status: 'accepted',
  handle: { prompt_id },
  progress,
});

const readPromptId = (handle: UpstreamHandle): string => handleSchema.parse(handle).prompt_id;

/** Older servers choose their own prompt ids, so the client id is compared too. */
const findQueueItem = (items: readonly ComfyUiQueueItem[], id: string): ComfyUiQueueItem | undefined =>
  items.find(([, prompt_id, , { client_id }]) => prompt_id === id || client_id === id);

const noOutputMessage = (node: string | undefined): string =>
  node === undefined
    ? 'ComfyUI reported success, but no node saved a file.'
    : `ComfyUI reported success, but node ${node} saved no file.`;
