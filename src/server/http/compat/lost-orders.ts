import type { Generation } from '#contract/resources/generation.ts';
import { requestFingerprint } from '#server/accounts/idempotency/idempotent-request.ts';
import type { CompatCall } from '#server/http/compat/compat-adapter.ts';
import { readOrder } from './place-orders.ts';

const KEPT_MS = 300_000;
/** An entry is a hash and at most 16 ids: below 1 kB, however long the prompts of the orders are. */
const MAX_KEPT = 1_000;
const MAX_KEPT_OF_KEY = 100;

interface LostRequest {
  key_id: string;
  /** Ids of its orders; null: they could not be placed. */
  ids: Promise<string[] | null>;
}

/** Requests whose client has gone before it had a response, by hash, oldest first. */
const lost = new Map<string, LostRequest>();

type Request = Pick<CompatCall, 'caller' | 'request' | 'body' | 'metadata'>;
type Call = Request & Pick<CompatCall, 'idempotency_key' | 'disconnected' | 'send'>;

export const hashRequest = ({ caller, request, body, metadata }: Request): string =>
  requestFingerprint('POST', request.url, [caller.key_id, body ?? null, metadata]);

/**
 * Places orders, or joins those of the same request whose response was lost: the clients of fal and Replicate repeat a
 * request after its connection broke, without a word that they do.
 */
export async function placeOrJoin(call: Call, place: () => Promise<Generation[]>): Promise<Generation[]> {
  const { idempotency_key, disconnected, caller } = call;
  if (idempotency_key !== undefined) return place();
  const hash = hashRequest(call);
  const earlier = lost.get(hash);
  lost.delete(hash);
  const orders = earlier ? earlier.ids.then((ids) => (ids ? readOrders(call, ids) : place())) : place();
  const keep = () => {
    const ids = orders.then((placed) => placed.map(({ id }) => id)).catch(() => null);
    keepLost(hash, { key_id: caller.key_id, ids });
  };
  if (disconnected.aborted) keep();
  else disconnected.addEventListener('abort', keep, { once: true });
  return orders;
}

const readOrders = (call: Call, ids: readonly string[]): Promise<Generation[]> =>
  Promise.all(ids.map((id) => readOrder(call, id)));

function keepLost(hash: string, request: LostRequest): void {
  const ofKey = [...lost.keys()].filter((other) => lost.get(other)?.key_id === request.key_id);
  const [oldest] = ofKey.length >= MAX_KEPT_OF_KEY ? ofKey : lost.keys();
  if (oldest !== undefined && (ofKey.length >= MAX_KEPT_OF_KEY || lost.size >= MAX_KEPT)) lost.delete(oldest);
  lost.set(hash, request);
  setTimeout(() => {
    if (lost.get(hash) === request) lost.delete(hash);
  }, KEPT_MS).unref();
}
