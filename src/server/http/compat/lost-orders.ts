import type { Generation } from '#contract/resources/generation.ts';
import { requestFingerprint } from '#server/accounts/idempotency/idempotent-request.ts';
import type { CompatCall } from '#server/http/compat/front-end.ts';

const KEPT_MS = 300_000;
const MAX_KEPT = 1_000;

/** Orders whose client has gone before it had a response, by request. */
const lost = new Map<string, Promise<Generation[]>>();

type Request = Pick<CompatCall, 'caller' | 'request' | 'body' | 'metadata' | 'idempotency_key' | 'disconnected'>;

export const hashRequest = ({ caller, request, body, metadata }: Request): string =>
  requestFingerprint('POST', request.url, [caller.key_id, body ?? null, metadata]);

/**
 * Places orders, or joins those of the same request whose response was lost: the clients of fal and Replicate repeat a
 * request after its connection broke, without a word that they do.
 */
export async function placeOrJoin(call: Request, place: () => Promise<Generation[]>): Promise<Generation[]> {
  const { idempotency_key, disconnected } = call;
  if (idempotency_key !== undefined) return place();
  const key = hashRequest(call);
  const earlier = lost.get(key)?.catch(() => null);
  lost.delete(key);
  const orders = earlier ? earlier.then((joined) => joined ?? place()) : place();
  const keep = () => keepLost(key, orders);
  if (disconnected.aborted) keep();
  else disconnected.addEventListener('abort', keep, { once: true });
  return orders;
}

function keepLost(key: string, orders: Promise<Generation[]>): void {
  const [oldest] = lost.keys();
  if (lost.size >= MAX_KEPT && oldest !== undefined) lost.delete(oldest);
  lost.set(key, orders);
  orders.catch(() => undefined);
  setTimeout(() => {
    if (lost.get(key) === orders) lost.delete(key);
  }, KEPT_MS).unref();
}
