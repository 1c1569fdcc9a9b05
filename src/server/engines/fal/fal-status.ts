import * as z from 'zod/mini';
import type { ProviderStatus } from '#contract/resources/generation.ts';

const logSchema = z.object({ message: z.string() });

/** “Get request status”, fal.ai/docs, read 2026-11-22. A model's own failure is told by the result alone. */
export const falStatusSchema = z.object({
  status: z.enum(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']),
  queue_position: z.nullish(z.int()),
  logs: z.nullish(z.array(z.unknown())),
  metrics: z.nullish(z.object({ inference_time: z.nullish(z.number()) })),
  error: z.nullish(z.string()),
  error_type: z.nullish(z.string()),
});
export type FalStatus = z.infer<typeof falStatusSchema>;

/** @param redact makes a line of the log fit for users */
export function toProviderStatus(
  { status, queue_position, logs }: FalStatus,
  redact: (text: string) => string,
): ProviderStatus {
  if (status === 'IN_QUEUE') return { queue_position: queue_position ?? null, stage: null };
  const messages = (logs ?? []).flatMap((entry) => logSchema.safeParse(entry).data?.message.trim() ?? []);
  const last = messages.findLast((message) => message !== '');
  return { queue_position: null, stage: last === undefined ? null : redact(last) };
}
