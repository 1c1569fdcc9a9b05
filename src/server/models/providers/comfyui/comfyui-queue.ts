import { UpstreamStatusError } from '#server/models/engine/upstream-errors.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import {
  type ComfyUiHistoryEntry,
  comfyUiHistorySchema,
  type ComfyUiQueue,
  type ComfyUiQueueItem,
  comfyUiQueueSchema,
  parseComfyUiResponse,
} from './comfyui-schemas.ts';

/** Reads and changes the queue and the history of one ComfyUI. All functions throw like `UpstreamHttp.request`. */
export function createComfyUiQueue(http: UpstreamHttp) {
  const read = async (signal: AbortSignal): Promise<ComfyUiQueue> =>
    parseComfyUiResponse(comfyUiQueueSchema, await http.requestJson('/queue', { signal }));

  async function readHistory(id: string, signal: AbortSignal): Promise<ComfyUiHistoryEntry | undefined> {
    const response = await http.requestJson(`/history/${encodeURIComponent(id)}`, { signal });
    return parseComfyUiResponse(comfyUiHistorySchema, response)[id];
  }

  /** @returns the server's id of a prompt that it knows by our id; else null */
  async function findPrompt(id: string, signal: AbortSignal): Promise<string | null> {
    const { queue_pending, queue_running } = await read(signal);
    const queued = findQueueItem(queue_pending, id) ?? findQueueItem(queue_running, id);
    return queued?.[1] ?? ((await readHistory(id, signal)) ? id : null);
  }

  async function cancel(id: string, signal: AbortSignal): Promise<void> {
    if (await cancelJob(http, `/api/jobs/${encodeURIComponent(id)}/cancel`, undefined, signal)) return;
    await http.requestVoid('/queue', { method: 'POST', json: { delete: [id] }, signal });
    const { queue_running } = await read(signal);
    if (!findQueueItem(queue_running, id)) return;
    // Older servers ignore the id and stop whatever runs, which is this prompt.
    await http.requestVoid('/interrupt', { method: 'POST', json: { prompt_id: id }, signal });
  }

  return { read, readHistory, findPrompt, cancel };
}

/** Cancels through the jobs API (ComfyUI since June 2026). @returns whether the server has it and knows the job */
export async function cancelJob(
  http: UpstreamHttp,
  path: string,
  json: unknown,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await http.requestVoid(path, { method: 'POST', json, signal });
    return true;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof UpstreamStatusError && [404, 405].includes(cause.status_code)) return false;
    throw error;
  }
}

/** Older servers choose their own prompt ids, so the client id is compared too. */
export const findQueueItem = (items: readonly ComfyUiQueueItem[], id: string): ComfyUiQueueItem | undefined =>
  items.find((item) => item[1] === id || item[3].client_id === id);

/** Prompts that run or start before a pending one. The list is a heap, so its order means nothing. */
export const countPromptsAhead = ({ queue_running, queue_pending }: ComfyUiQueue, [number]: ComfyUiQueueItem): number =>
  queue_running.length + queue_pending.filter(([other]) => other < number).length;
