import { createHash } from 'node:crypto';
import type { Generation } from '#contract/resources/generation.ts';
import type { CompatCall } from '#server/http/compat/front-end.ts';

const KEPT_MS = 300_000;
const MAX_KEPT = 1_000;

/** Orders whose client has gone before it had a response, by request. */
const lost = new Map<string, Promise<Generation[]>>();

type Request = Pick<CompatCall, 'caller' | 'request' | 'body' | 'metadata' | 'idempotency_key' | 'disconnected'>;

/**
 * Places orders, or joins those of the same request whose response was lost: fal’s client repeats a request after its
 * connection broke, without a word that it does.
 */
export async function placeOrJoin(call: Request, place: () => Promise<Generation[]>): Promise<Generation[]> {
  const { caller, request, body, metadata, idempotency_key, disconnected } = call;
  if (idempotency_key !== undefined) return place();
  const text = JSON.stringify([caller.key_id, request.url, body, metadata]);
  const key = createHash('sha256').update(text).digest('base64url');
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
