import * as z from 'zod/mini';
import { promptOutputsSchema } from '#server/models/providers/comfyui/comfyui-schemas.ts';

/** The OpenAPI file and the guide name different states (docs.comfy.org, read 2026-11-23), so both are accepted. */
const JOB_STATES = {
  waiting_to_dispatch: 'waiting',
  pending: 'waiting',
  submitted: 'waiting',
  queued_waiting: 'waiting',
  preparing: 'running',
  in_progress: 'running',
  executing: 'running',
  cancel_requested: 'running',
  completed: 'succeeded',
  success: 'succeeded',
  error: 'failed',
  failed: 'failed',
  non_retryable_error: 'failed',
  lost: 'lost',
  cancelled: 'canceled',
} as const satisfies Record<string, 'waiting' | 'running' | 'succeeded' | 'failed' | 'lost' | 'canceled'>;

const jobState = z.pipe(
  z.enum(Object.keys(JOB_STATES) as [keyof typeof JOB_STATES, ...(keyof typeof JOB_STATES)[]]),
  z.transform((status) => JOB_STATES[status]),
);

/** `GET /job/{id}/status` */
export const cloudStatusSchema = z.object({ status: jobState, error_message: z.nullish(z.string()) });

/** `GET /jobs/{id}` */
export const cloudJobSchema = z.object({
  outputs: z.nullish(promptOutputsSchema),
  execution_error: z.optional(z.unknown()),
  workflow: z.optional(z.unknown()),
});

/** `GET /jobs`, the newest first. */
export const cloudJobsSchema = z.object({ jobs: z.array(z.object({ id: z.string(), create_time: z.number() })) });

/** `GET /queue`: `[number, prompt_id, …]`, the oldest first. */
export const cloudQueueSchema = z.object({
  queue_pending: z.array(z.tuple([z.unknown(), z.string()], z.unknown())),
});
