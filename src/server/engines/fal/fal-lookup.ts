import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { LostSubmit } from '../upstream.ts';
import type { UpstreamHttp } from '../upstream-http.ts';

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

/** A seed from 0 to 2³¹ − 1 that no other job has, so that a request can be recognized by its input. */
export const falSeed = (submit_key: string): number =>
  createHash('sha256').update(submit_key).digest().readUInt32BE(0) >>> 1;

/**
 * Looks for the request of a lost submit among the latest of the account. fal lists only those that have started.
 * @param endpoints whose inputs have the seed of the submit
 */
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
  const seed = falSeed(submit_key);
  const matches = (data?.items ?? []).filter(
    ({ json_input }) => json_input?.['seed'] === seed && json_input['prompt'] === input['prompt'],
  );
  const [match] = matches;
  return match && matches.length === 1 ? { request_id: match.request_id, endpoint: match.endpoint_id } : null;
}
