import * as z from 'zod/mini';
import { ResponseLostError, type UpstreamHandle } from '../upstream.ts';

/** What fal says of a request that it took. */
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
});
export type FalHandle = z.infer<typeof handleSchema>;

const NAMESPACES = ['workflows', 'comfy'];

/**
 * The addresses to ask at, as fal gives them; behind a proxy they lead past it, and are built as fal's client does.
 * @throws {ResponseLostError}
 */
export function buildFalHandle(answer: unknown, model: string, base_url: string): FalHandle {
  const { data, error } = submitResponseSchema.safeParse(answer);
  if (!data) throw new ResponseLostError('The answer of the engine can’t be understood.', { cause: error });
  const { request_id } = data;
  const app = model.split('/').slice(0, NAMESPACES.includes(model.split('/')[0] ?? '') ? 3 : 2);
  const built = `${base_url}/${app.join('/')}/requests/${request_id}`;
  const own = (given: string | undefined, part: string): string =>
    given !== undefined && URL.canParse(given) && new URL(given).origin === new URL(base_url).origin
      ? given
      : `${built}${part}`;
  return {
    request_id,
    response_url: own(data.response_url, ''),
    status_url: own(data.status_url, '/status'),
    cancel_url: own(data.cancel_url, '/cancel'),
  };
}

export const parseFalHandle = (handle: UpstreamHandle): FalHandle => handleSchema.parse(handle);
