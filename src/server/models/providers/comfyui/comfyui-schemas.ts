import * as z from 'zod/mini';
import { unreadableResponseError } from '#server/models/engine/upstream.ts';

/** `[number, prompt_id, workflow, extra_data, outputs]`; lower numbers run first. Older servers choose the prompt id themselves. */
const queueItem = z.tuple(
  [z.number(), z.string(), z.unknown(), z.looseObject({ client_id: z.nullish(z.unknown()) })],
  z.unknown(),
);
export type ComfyUiQueueItem = z.infer<typeof queueItem>;
export const comfyUiQueueSchema = z.object({ queue_running: z.array(queueItem), queue_pending: z.array(queueItem) });
export type ComfyUiQueue = z.infer<typeof comfyUiQueueSchema>;

/** By node id: lists of files and other values. */
export const promptOutputsSchema = z.record(z.string(), z.record(z.string(), z.unknown()));

const historyEntry = z.object({
  outputs: promptOutputsSchema,
  /** Servers from before 2024 omit it. */
  status: z.nullish(
    z.object({
      status_str: z.string(),
      completed: z.boolean(),
      /** Events that were sent to clients: `["execution_error", { … }]`. */
      messages: z.array(z.tuple([z.string(), z.record(z.string(), z.unknown())], z.unknown())),
    }),
  ),
});
/** A completed prompt. ComfyUI keeps its history until it restarts. */
export type ComfyUiHistoryEntry = z.infer<typeof historyEntry>;
export const comfyUiHistorySchema = z.record(z.string(), historyEntry);

const nodeErrors = z.record(
  z.string(),
  z.object({
    class_type: z.string(),
    errors: z.array(z.object({ message: z.string(), details: z.nullish(z.string()) })),
  }),
);
/** Keyed by node id; ComfyUI sends an empty list when there are no errors. */
export const nodeErrorsSchema = z.union([
  nodeErrors,
  z.pipe(
    z.array(z.unknown()),
    z.transform((): z.infer<typeof nodeErrors> => ({})),
  ),
]);
export const promptAcceptedSchema = z.object({ prompt_id: z.string(), node_errors: nodeErrorsSchema });
export const fileUploadedSchema = z.object({ name: z.string(), subfolder: z.string() });

/** @throws {ResponseLostError} when the response has another shape */
export function parseComfyUiResponse<T extends z.ZodMiniType>(schema: T, response: unknown): z.infer<T> {
  const { data, error, success } = schema.safeParse(response);
  if (success) return data;
  throw unreadableResponseError(error);
}
