import * as z from 'zod/mini';
import type { ProviderStatus } from '#contract/resources/generation.ts';
import type { RemoteService } from '#server/platform/net/remote-service.ts';
import { buildInputWithFiles } from '#server/models/engine/mapping/build-input-with-files.ts';
import type {
  PolledJob,
  UpstreamAdapter,
  UpstreamHandle,
  UpstreamEngineJob,
  UpstreamState,
} from '#server/models/engine/upstream.ts';
import type { UpstreamErrorResponse } from '#server/models/engine/upstream-errors.ts';
import { createUpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { countPromptsAhead, createComfyUiQueue, findQueueItem } from './comfyui-queue.ts';
import {
  promptAcceptedSchema,
  type ComfyUiHistoryEntry,
  parseComfyUiResponse,
  type ComfyUiQueueItem,
} from './comfyui-schemas.ts';
import { failedPromptError, rejectedNodesError, rejectedPromptError } from './prompt-errors.ts';
import { savePromptOutputs, uploadToComfyUi } from './comfyui-files.ts';
import { derivePromptId, type WorkflowRun } from './workflow-builder.ts';
import { type WorkflowProgress, workflowProgress } from './workflow-progress.ts';

export interface ComfyUiAdapterOptions extends WorkflowRun {
  service: RemoteService;
  api_key: string | null;
  /**
   * What the key is for; ComfyUI itself has none. `proxy`: sent as a bearer token to a proxy in front. `partner_nodes`:
   * a key of a Comfy account, which pays for nodes that call other providers.
   */
  key_use?: 'proxy' | 'partner_nodes' | undefined;
}

const PROGRESS_WAIT_MS = 2_000;

const handleSchema = z.object({ prompt_id: z.string() });

const JOB_UNKNOWN_MESSAGE =
  'ComfyUI no longer knows this job: it was restarted, or its queue or history was cleared. The outputs may still be in its output folder.';

/** Runs a workflow in ComfyUI; the prompt's id and seed derive from the submit key, so a repeat does the same work. */
export function createComfyUiAdapter(options: ComfyUiAdapterOptions): UpstreamAdapter {
  const { service, api_key, key_use = 'proxy' } = options;
  const credentials = key_use === 'proxy' ? {} : { headers: () => ({}) };
  const http = createUpstreamHttp({ service, api_key, ...credentials });
  const promptHttp = createUpstreamHttp({ service, api_key, ...credentials, mapError: mapPromptError });
  const queue = createComfyUiQueue(http);

  return {
    supports_submit_key: true,
    async submit(job) {
      const id = derivePromptId(job.submit_key);
      const existingId = await queue.findPrompt(id, job.signal);
      if (existingId !== null) return acceptedState(existingId);
      return prompt(id, await prepare(job), job.signal);
    },
    async poll(job, handle) {
      const id = readPromptId(handle);
      const state = await queue.read(job.signal);
      const pending = findQueueItem(state.queue_pending, id);
      if (pending) return acceptedState(id, 0, { queue_position: countPromptsAhead(state, pending), stage: null });
      const running = findQueueItem(state.queue_running, id);
      if (running) {
        const progress = await readProgress(running, job.signal);
        return acceptedState(id, progress?.fraction ?? null, { queue_position: null, stage: progress?.stage ?? null });
      }
      // A prompt is in the history before it leaves the queue.
      const historyEntry = await queue.readHistory(id, job.signal);
      return historyEntry
        ? readResult(historyEntry, job)
        : { status: 'unclear', reason: JOB_UNKNOWN_MESSAGE, result: null };
    },
    async findLostSubmit({ submit_key, signal }) {
      const promptId = await queue.findPrompt(derivePromptId(submit_key), signal);
      return promptId === null ? null : { prompt_id: promptId };
    },
    cancel: (handle, signal) => queue.cancel(readPromptId(handle), signal),
  };

  function prepare(job: UpstreamEngineJob): Promise<unknown> {
    return buildInputWithFiles(
      (nameReference) => options.buildWorkflow(job, nameReference),
      (reference) => uploadToComfyUi(http, reference, job.signal),
    );
  }

  async function prompt(id: string, workflow: unknown, signal: AbortSignal): Promise<UpstreamState> {
    const account = key_use === 'partner_nodes' && api_key !== null;
    const extra = account ? { extra_data: { api_key_comfy_org: api_key } } : {};
    const json = { prompt: workflow, prompt_id: id, client_id: id, ...extra };
    const response = await promptHttp.requestJson('/prompt', { method: 'POST', json, signal });
    const { prompt_id, node_errors } = parseComfyUiResponse(promptAcceptedSchema, response);
    const rejection = rejectedNodesError(node_errors, http.redact);
    if (!rejection) return acceptedState(prompt_id);
    await queue.cancel(prompt_id, signal);
    throw rejection;
  }

  /** The server reports progress only to the client that queued the prompt. */
  async function readProgress(
    [, id, workflow, { client_id }]: ComfyUiQueueItem,
    signal: AbortSignal,
  ): Promise<WorkflowProgress | null> {
    const path = `/ws?${new URLSearchParams({ clientId: String(client_id) }).toString()}`;
    return http.listen(path, { signal, timeoutMs: PROGRESS_WAIT_MS }, (message) =>
      workflowProgress(message, id, workflow),
    );
  }

  async function readResult({ outputs, status }: ComfyUiHistoryEntry, job: PolledJob): Promise<UpstreamState> {
    const failed = failedPromptError(status, http.redact);
    if (failed) throw failed;
    return savePromptOutputs(http, service, outputs, job, options);
  }

  function mapPromptError(response: UpstreamErrorResponse): Error | null {
    return response.status === 400 ? rejectedPromptError(response, http.redact) : null;
  }
}

const acceptedState = (
  prompt_id: string,
  progress: number | null = 0,
  providerStatus: ProviderStatus | null = null,
): UpstreamState => ({ status: 'accepted', handle: { prompt_id }, progress, provider_status: providerStatus });

const readPromptId = (handle: UpstreamHandle): string => handleSchema.parse(handle).prompt_id;
