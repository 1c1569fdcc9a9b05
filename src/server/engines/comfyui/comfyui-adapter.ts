import * as z from 'zod/mini';
import type { Service } from '../../net/service.ts';
import { withFileFunction } from '../mapping/file-function.ts';
import { inputWithFiles } from '../mapping/input-with-files.ts';
import { mappingContext } from '../mapping/mapping-context.ts';
import { saveOutputs } from '../save-outputs.ts';
import type { PolledJob, UpstreamAdapter, UpstreamHandle, UpstreamJob, UpstreamState } from '../upstream.ts';
import type { Refusal } from '../upstream-answers.ts';
import { createUpstreamHttp, isGone } from '../upstream-http.ts';
import {
  acceptedSchema,
  type HistoryEntry,
  historySchema,
  parseAnswer,
  type Queue,
  type QueueItem,
  queueSchema,
} from './comfy-answers.ts';
import { compileWorkflow, type Workflow } from './compile-workflow.ts';
import { failedPrompt, refusedNodes, refusedPrompt } from './prompt-failure.ts';
import { promptIdOf, seedOf } from './prompt-identity.ts';
import { promptOutputs } from './prompt-outputs.ts';
import { sendFile } from './send-files.ts';
import { progressIn } from './workflow-progress.ts';

export interface ComfyUiAdapterOptions {
  service: Service;
  /** Sent as a bearer token, for the proxy in front: ComfyUI itself takes none. */
  api_key: string | null;
  workflow: Workflow;
  output_node?: string | undefined;
  max_output_bytes?: number | undefined;
}

const GLANCE_MS = 2_000;

const handleSchema = z.object({ prompt_id: z.string() });

/** ComfyUI already has the prompt. */
class AlreadyThere extends Error {}

const GONE =
  'ComfyUI does not know this job any more. It was restarted, or its queue or history was cleared; what it made may still be in its folder of outputs.';

/**
 * Runs a workflow in ComfyUI through the routes of its server. The prompt's id and seed come from the submit key, so
 * that a repetition finds the prompt that is there, and where there is none any more is the same work.
 * @throws {MappingSyntaxError} for a placeholder that is not JSONata
 */
export function createComfyUiAdapter(options: ComfyUiAdapterOptions): UpstreamAdapter {
  const { service, api_key, output_node } = options;
  const template = compileWorkflow(options.workflow);
  const http = createUpstreamHttp({ service, api_key });
  const prompting = createUpstreamHttp({ service, api_key, explain });

  return {
    takes_submit_key: true,
    async submit(job) {
      const id = promptIdOf(job.submit_key);
      const known = await find(id, job.signal);
      if (known !== null) return accepted(known, 0);
      return prompt(id, await prepare(job), job.signal);
    },
    async poll(job, handle) {
      const id = idOf(handle);
      const queue = await readQueue(job.signal);
      if (named(queue.queue_pending, id)) return accepted(id, 0);
      const running = named(queue.queue_running, id);
      if (running) return accepted(id, await glance(running, job.signal));
      // It stands in the history by the time it has left the queue.
      const ended = await readHistory(id, job.signal);
      return ended ? judge(ended, job) : { status: 'unclear', reason: GONE, result: null };
    },
    cancel: (handle, signal) => stop(idOf(handle), signal),
  };

  function prepare(job: UpstreamJob): Promise<unknown> {
    const given = job.input['seed'];
    const seed = typeof given === 'number' ? given : seedOf(job.submit_key);
    return inputWithFiles(
      (nameOf) => template(withFileFunction(mappingContext(job, { seed }), job.references, nameOf)),
      (reference) => sendFile(http, reference, job.signal),
    );
  }

  async function prompt(id: string, workflow: unknown, signal: AbortSignal): Promise<UpstreamState> {
    try {
      const json = { prompt: workflow, prompt_id: id, client_id: id };
      const answer = await prompting.json('/prompt', { method: 'POST', json, signal });
      const { prompt_id, node_errors } = parseAnswer(acceptedSchema, answer);
      const refused = refusedNodes(node_errors, http.clean);
      if (!refused) return accepted(prompt_id, 0);
      await stop(prompt_id, signal);
      throw refused;
    } catch (error) {
      if (error instanceof AlreadyThere) return accepted(id, 0);
      throw error;
    }
  }

  async function stop(id: string, signal: AbortSignal): Promise<void> {
    await http.tell('/queue', { method: 'POST', json: { delete: [id] }, signal });
    const { queue_running } = await readQueue(signal);
    if (!named(queue_running, id)) return;
    // Older servers ignore the id and stop whatever runs: ours, as was just seen.
    await http.tell('/interrupt', { method: 'POST', json: { prompt_id: id }, signal });
  }

  /** @returns the id by which the server has it; null: not at all */
  async function find(id: string, signal: AbortSignal): Promise<string | null> {
    const { queue_pending, queue_running } = await readQueue(signal);
    const queued = named(queue_pending, id) ?? named(queue_running, id);
    return queued?.[1] ?? ((await readHistory(id, signal)) ? id : null);
  }

  /** Progress is told to the prompt's client alone, and to one that comes late from its next step on. */
  async function glance([, id, workflow, { client_id }]: QueueItem, signal: AbortSignal): Promise<number | null> {
    const path = `/ws?${new URLSearchParams({ clientId: String(client_id) }).toString()}`;
    return http.listen(path, { signal, timeout_ms: GLANCE_MS }, (message) => progressIn(message, id, workflow));
  }

  async function readQueue(signal: AbortSignal): Promise<Queue> {
    return parseAnswer(queueSchema, await http.json('/queue', { signal }));
  }

  async function readHistory(id: string, signal: AbortSignal): Promise<HistoryEntry | undefined> {
    return parseAnswer(historySchema, await http.json(`/history/${encodeURIComponent(id)}`, { signal }))[id];
  }

  async function judge({ outputs, status }: HistoryEntry, job: PolledJob): Promise<UpstreamState> {
    const failed = failedPrompt(status, http.clean);
    if (failed) throw failed;
    const paths = promptOutputs(outputs, output_node);
    if (paths.length === 0) return { status: 'unclear', reason: nothingFrom(output_node), result: null };
    const found = paths.map((url) => ({ url }));
    try {
      const files = await saveOutputs(http, found, job, options.max_output_bytes);
      return { status: 'succeeded', result: { files, data: null }, cost_micro_usd: null };
    } catch (error) {
      if (!isGone(error)) throw error;
      return { status: 'unclear', reason: 'ComfyUI is done, but does not have the file any more.', result: null };
    }
  }

  function explain(refusal: Refusal): Error | null {
    if (refusal.status === 409) return new AlreadyThere(undefined, { cause: refusal.cause });
    return refusal.status === 400 ? refusedPrompt(refusal, http.clean) : null;
  }
}

const accepted = (prompt_id: string, progress: number | null): UpstreamState => ({
  status: 'accepted',
  handle: { prompt_id },
  progress,
});

const idOf = (handle: UpstreamHandle): string => handleSchema.parse(handle).prompt_id;

/** The prompt in a part of the queue, by its own id or, where the server gave it another, by its client's. */
const named = (items: readonly QueueItem[], id: string): QueueItem | undefined =>
  items.find(([, prompt_id, , { client_id }]) => prompt_id === id || client_id === id);

const nothingFrom = (node: string | undefined): string =>
  node === undefined
    ? 'ComfyUI says that it is done, but no node saved a file.'
    : `ComfyUI says that it is done, but node ${node} saved no file.`;
