import * as z from 'zod/mini';
import type { ProviderStatus } from '#contract/resources/generation.ts';
import { uniqueSeed } from '#server/models/engine/unique-seed.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import type { LostSubmit } from '#server/models/engine/upstream.ts';

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

export function toProviderStatus(
  { status, queue_position, logs }: FalStatus,
  redact: (text: string) => string,
): ProviderStatus {
  if (status === 'IN_QUEUE') return { queue_position: queue_position ?? null, stage: null };
  const messages = (logs ?? []).flatMap((entry) => logSchema.safeParse(entry).data?.message.trim() ?? []);
  const last = messages.findLast((message) => message !== '');
  return { queue_position: null, stage: last === undefined ? null : redact(last) };
}

/** `GET /v1/models/requests/by-endpoint`, fal.ai/docs/platform-apis/v1/models/requests/by-endpoint, read 2026-11-23. */
const requestsSchema = z.object({
  items: z.array(
    z.object({
      request_id: z.string(),
      endpoint_id: z.string(),
      json_input: z.nullish(z.record(z.string(), z.unknown())),
    }),
  ),
});

const CLOCK_TOLERANCE_MS = 60_000;
const MAX_ITEMS = 100;

/** Looks for a lost submit among the latest requests that have started. @param endpoints whose inputs have the seed */
export async function findFalRequest(
  http: Pick<UpstreamHttp, 'requestJson'>,
  endpoints: readonly string[],
  { submit_key, submitted_at, input, signal }: LostSubmit,
): Promise<{ request_id: string; endpoint: string } | null> {
  const query = new URLSearchParams({
    endpoint_id: endpoints.join(','),
    start: new Date(submitted_at.getTime() - CLOCK_TOLERANCE_MS).toISOString(),
    expand: 'payloads',
    limit: String(MAX_ITEMS),
  });
  const { data } = requestsSchema.safeParse(
    await http.requestJson(`/models/requests/by-endpoint?${query.toString()}`, { signal }),
  );
  const seed = uniqueSeed(submit_key);
  const matches = (data?.items ?? []).filter(
    ({ json_input }) => json_input?.['seed'] === seed && (json_input['prompt'] ?? null) === (input['prompt'] ?? null),
  );
  const [match] = matches;
  return match && matches.length === 1 ? { request_id: match.request_id, endpoint: match.endpoint_id } : null;
}
