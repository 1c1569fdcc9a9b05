import type { Deps } from '#server/deps.ts';
import { repeatEvery } from '#server/jobs/repeat-every.ts';
import { type AttemptDeps, attemptDelivery } from './attempt-delivery.ts';
import { type ClaimedDelivery, claimDueDeliveries, listEndpointsWithDue, releaseClaims } from './claim-deliveries.ts';
import { recordAttempt } from './record-attempt.ts';
import { ATTEMPTS_PER_ENDPOINT } from './retry-schedule.ts';

/** In this process. Each is a connection that may hang for 10 s, and little else. */
const MAX_CONCURRENT = 512;
/** While the process ends, attempts under way have so long to end too. */
const GRACE_MS = 8_000;

export type DelivererDeps = AttemptDeps & Pick<Deps, 'queue'>;

/**
 * Delivers what is due. Each endpoint has places of its own, so that none waits for another. Whatever a process leaves
 * behind that is killed is delivered again: at least once. Spec: Receiver obligations and retries
 * @param options.alone no other process delivers: whatever is claimed is of one that is gone
 * @param options.look_every_ms retries, and what a lost wake-up left, are found this soon after they are due
 * @returns takes no more, and resolves when what is under way has ended or was let go
 */
export async function startDeliverer(
  deps: DelivererDeps,
  { alone, look_every_ms = 1_000 }: { alone: boolean; look_every_ms?: number },
): Promise<() => Promise<void>> {
  const { log, queue } = deps;
  const shutdown = new AbortController();
  const under_way = new Set<Promise<void>>();
  const places = new Map<string, number>();
  let stopping = false;
  const isFull = (): boolean => stopping || under_way.size >= MAX_CONCURRENT;
  const count = (endpoint_id: string, change: 1 | -1): void => {
    const taken = (places.get(endpoint_id) ?? 0) + change;
    if (taken > 0) places.set(endpoint_id, taken);
    else places.delete(endpoint_id);
  };

  async function lookAround(): Promise<void> {
    const busy = [...places].filter(([, taken]) => taken >= ATTEMPTS_PER_ENDPOINT).map(([endpoint_id]) => endpoint_id);
    if (isFull()) return;
    for (const endpoint_id of await listEndpointsWithDue(deps, busy)) await take(endpoint_id);
  }

  async function take(endpoint_id: string): Promise<void> {
    if (isFull()) return;
    for (const claimed of await claimDueDeliveries(deps, endpoint_id)) begin(claimed);
  }

  function begin(claimed: ClaimedDelivery): void {
    count(claimed.endpoint.id, 1);
    const run = deliver(claimed).finally(() => under_way.delete(run));
    under_way.add(run);
  }

  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    const { delivery, endpoint, owner } = claimed;
    try {
      const made = await attemptDelivery(deps, claimed, shutdown.signal);
      // Those that fail, many at the same moment perhaps, are left to the next look: they must not be in anyone's way.
      const goes_on = made.error === null && !stopping;
      for (const next of await recordAttempt(deps, claimed, made, goes_on)) begin(next);
    } catch (error) {
      if (!shutdown.signal.aborted) log.error({ err: error, delivery_id: delivery.id }, 'delivery left to its lease');
      else await releaseClaims(deps, owner, delivery.id).catch(() => undefined);
    } finally {
      count(endpoint.id, -1);
    }
  }

  if (alone) await releaseClaims(deps, null);
  const stopTaking = await queue.work('webhook.deliver', 1, lookAround);
  const stopLooking = repeatEvery(deps, look_every_ms, lookAround);
  return async () => {
    stopping = true;
    const grace = setTimeout(() => shutdown.abort(new Error('The service is shutting down.')), GRACE_MS);
    await Promise.all([stopTaking(), stopLooking()]);
    await Promise.all(under_way);
    clearTimeout(grace);
  };
}
