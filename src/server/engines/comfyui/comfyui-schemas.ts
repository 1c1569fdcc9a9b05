import * as z from 'zod/mini';
import { ResponseLostError } from '../upstream.ts';

/** `[number, prompt_id, workflow, extra_data, outputs]`. A server that is older than prompt ids of ours has its own there. */
const queueItem = z.tuple(
  [z.unknown(), z.string(), z.unknown(), z.looseObject({ client_id: z.nullish(z.unknown()) })],
  z.unknown(),
);
export type ComfyUiQueueItem = z.infer<typeof queueItem>;
export const comfyUiQueueSchema = z.object({ queue_running: z.array(queueItem), queue_pending: z.array(queueItem) });
export type ComfyUiQueue = z.infer<typeof comfyUiQueueSchema>;

const historyEntry = z.object({
  outputs: z.record(z.string(), z.record(z.string(), z.unknown())),
  /** null of servers from before 2024. */
  status: z.nullish(
    z.object({
      status_str: z.string(),
      completed: z.boolean(),
      /** What the server told its clients: `["execution_error", { … }]`. */
      messages: z.array(z.tuple([z.string(), z.record(z.string(), z.unknown())], z.unknown())),
    }),
  ),
});
/** What ComfyUI remembers of a prompt that has ended, until it is stopped itself. */
export type ComfyUiHistoryEntry = z.infer<typeof historyEntry>;
export const comfyUiHistorySchema = z.record(z.string(), historyEntry);

const nodeErrors = z.record(
  z.string(),
  z.object({
    class_type: z.string(),
    errors: z.array(z.object({ message: z.string(), details: z.nullish(z.string()) })),
  }),
);
/** By the id of the node; where there are none it is also an empty list. */
export const nodeErrorsSchema = z.union([
  nodeErrors,
  z.pipe(
    z.array(z.unknown()),
    z.transform((): z.infer<typeof nodeErrors> => ({})),
  ),
]);
export const promptAcceptedSchema = z.object({ prompt_id: z.string(), node_errors: nodeErrorsSchema });
export const fileUploadedSchema = z.object({ name: z.string(), subfolder: z.string() });

/** @throws {ResponseLostError} where the answer has another shape */
export function parseComfyUiResponse<T extends z.ZodMiniType>(schema: T, answer: unknown): z.infer<T> {
  const { data, error, success } = schema.safeParse(answer);
  if (success) return data;
  throw new ResponseLostError('The answer of the engine can’t be understood.', { cause: error });
}
