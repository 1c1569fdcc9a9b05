import * as z from 'zod/mini';
import { EngineError } from '#server/models/engine/engine.ts';
import { type Bill, chargedWork, toUpstreamCost, withJobCost } from '#server/models/engine/job-cost.ts';
import { saveOutputs } from '#server/models/engine/save-outputs.ts';
import {
  type PolledJob,
  type UpstreamAdapter,
  type UpstreamEngineJob,
  type UpstreamHandle,
  type UpstreamState,
  unreadableResponseError,
} from '#server/models/engine/upstream.ts';
import { isNotFoundError } from '#server/models/engine/upstream-http.ts';
import { failedError, createModelArkHttp, type ModelArkAccount } from './modelark-errors.ts';
import type { ModelArkVideoRequest } from './modelark-requests.ts';

export interface ModelArkVideosOptions extends ModelArkAccount {
  /** @throws {EngineError} if the model does not take the input */
  buildRequest(job: UpstreamEngineJob): Promise<Omit<ModelArkVideoRequest, 'execution_expires_after' | 'watermark'>>;
  /** @param tokens of the task’s usage, which are what ModelArk bills */
  computeCost(job: PolledJob, tokens: number): Bill | null;
  /** Passed to ModelArk, so that no abandoned task runs. */
  deadlineMs: number;
  max_output_bytes?: number | undefined;
}

const createdSchema = z.object({ id: z.string().check(z.minLength(1)) });
const taskSchema = z.object({
  status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired']),
  content: z.nullish(z.object({ video_url: z.nullish(z.string()) })),
  usage: z.nullish(z.object({ total_tokens: z.nullish(z.number()) })),
  error: z.nullish(z.object({ code: z.string(), message: z.string() })),
});
type Task = z.infer<typeof taskSchema>;
const handleSchema = z.object({ task_id: z.string() });

const TASKS_PATH = '/contents/generations/tasks';
const STAGES = { queued: 'Queued', running: 'Running' } as const;
const MIN_EXPIRY_SECONDS = 3600;

/** ModelArk’s video tasks, without idempotency keys; a lost submit can't be found, because lists omit the request. */
export function createModelArkVideos(options: ModelArkVideosOptions): UpstreamAdapter {
  const { buildRequest, computeCost, deadlineMs, max_output_bytes, watermark } = options;
  const http = createModelArkHttp(options);
  const executionExpiresAfter = Math.max(MIN_EXPIRY_SECONDS, Math.ceil(deadlineMs / 1000));

  return {
    supports_submit_key: false,
    async submit(job) {
      const request: ModelArkVideoRequest = {
        ...(await buildRequest(job)),
        watermark,
        execution_expires_after: executionExpiresAfter,
      };
      const response = await http.requestJson(TASKS_PATH, { method: 'POST', json: request, signal: job.signal });
      const { data, error } = createdSchema.safeParse(response);
      if (!data) throw unreadableResponseError(error);
      return acceptedState(data.id, 'queued');
    },
    async poll(job, handle) {
      try {
        return await readState(await readTask(handle, job.signal), job, handle);
      } catch (error) {
        if (!isNotFoundError(error)) throw error;
        return { status: 'unclear', reason: 'ModelArk no longer has this task or its result.', result: null };
      }
    },
    async cancel(handle, signal) {
      try {
        // The same call deletes the record of a completed task, and with it the result. A running task cannot stop.
        if ((await readTask(handle, signal)).status !== 'queued') return;
        await http.requestVoid(taskPath(handle), { method: 'DELETE', signal });
      } catch (error) {
        if (!isNotFoundError(error)) throw error;
      }
    },
  };

  async function readTask(handle: UpstreamHandle, signal: AbortSignal): Promise<Task> {
    const { data, error } = taskSchema.safeParse(await http.requestJson(taskPath(handle), { signal }));
    if (data) return data;
    throw unreadableResponseError(error);
  }

  async function readState(task: Task, job: PolledJob, handle: UpstreamHandle): Promise<UpstreamState> {
    const { status, content, usage, error } = task;
    const cost = toUpstreamCost(usage?.total_tokens ? computeCost(job, usage.total_tokens) : null, 'computed');
    if (status === 'failed') throw withJobCost(failedError(error ?? null, http.redact), cost);
    if (status === 'cancelled' || status === 'expired') throw withJobCost(stoppedError(status), cost);
    if (status !== 'succeeded') return acceptedState(handleSchema.parse(handle).task_id, status);
    const completion = { cost_micro_usd: null, ...cost };
    const url = content?.video_url;
    if (!url)
      return {
        status: 'unclear',
        reason: 'ModelArk reported success but returned no video.',
        result: null,
        ...completion,
      };
    const files = await chargedWork(cost, () => saveOutputs(http, [{ url }], job, max_output_bytes));
    return { status: 'succeeded', result: { files, data: null }, ...completion };
  }
}

const taskPath = (handle: UpstreamHandle): string =>
  `${TASKS_PATH}/${encodeURIComponent(handleSchema.parse(handle).task_id)}`;

const acceptedState = (taskId: string, status: keyof typeof STAGES): UpstreamState => ({
  status: 'accepted',
  handle: { task_id: taskId },
  progress: null,
  provider_status: { queue_position: null, stage: STAGES[status] },
});

const stoppedError = (status: 'cancelled' | 'expired'): EngineError =>
  status === 'expired'
    ? new EngineError('timeout', 'The model did not finish before the deadline.', { retryable: true })
    : new EngineError('engine_failed', 'The task was canceled at ModelArk before it started.', { retryable: true });
