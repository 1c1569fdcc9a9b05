import * as z from 'zod/mini';
import { type UpstreamHandle, unreadableResponseError } from '#server/models/engine/upstream.ts';

const submitResponseSchema = z.object({
  request_id: z.string().check(z.regex(/^[\w-]{1,200}$/)),
  response_url: z.optional(z.string()),
  status_url: z.optional(z.string()),
  cancel_url: z.optional(z.string()),
});
const handleSchema = z.object({
  request_id: z.string(),
  response_url: z.string(),
  status_url: z.string(),
  cancel_url: z.string(),
  endpoint: z.string(),
  /** Seconds of computing, once the job is complete. */
  inference_seconds: z.optional(z.number()),
});
export type FalHandle = z.infer<typeof handleSchema>;

const NAMESPACES = ['workflows', 'comfy'];

/**
 * Builds the URLs as fal's own client does: those that fal returned would bypass a proxy. @throws {ResponseLostError}
 */
export function buildFalHandle(response: unknown, endpoint: string, base_url: string): FalHandle {
  const { data, error } = submitResponseSchema.safeParse(response);
  if (!data) throw unreadableResponseError(error);
  const { request_id } = data;
  const app = endpoint.split('/').slice(0, NAMESPACES.includes(endpoint.split('/')[0] ?? '') ? 3 : 2);
  const fallback = `${base_url}/${app.join('/')}/requests/${request_id}`;
  const sameOrigin = (url: string | undefined, suffix: string): string =>
    url !== undefined && URL.canParse(url) && new URL(url).origin === new URL(base_url).origin
      ? url
      : `${fallback}${suffix}`;
  return {
    request_id,
    endpoint,
    response_url: sameOrigin(data.response_url, ''),
    status_url: sameOrigin(data.status_url, '/status'),
    cancel_url: sameOrigin(data.cancel_url, '/cancel'),
  };
}

export const parseFalHandle = (handle: UpstreamHandle): FalHandle => handleSchema.parse(handle);
