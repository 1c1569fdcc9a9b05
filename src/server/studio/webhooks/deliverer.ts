import type { Deps } from '#server/platform/deps.ts';
import { ShutdownError } from '#server/platform/core/shutdown-error.ts';
import { repeatEvery } from '#server/platform/jobs/repeat-every.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { type ClaimedDelivery, claimDueDeliveries, listEndpointsWithDue, releaseClaims } from './claim-deliveries.ts';
import { recordAttempt } from './record-attempt.ts';
import { ATTEMPTS_PER_ENDPOINT } from './retry-schedule.ts';

/** Per process. Each attempt is a connection that may hang for 10 s and costs little else. */
const MAX_CONCURRENT = 512;
const GRACE_MS = 8_000;

/**
 * Delivers due events. Each endpoint has its own limit of concurrent attempts, so none delays another. A delivery
 * that a killed process had claimed is sent again: at least once. Spec: Receiver obligations and retries
 * @param options.alone no other process delivers, so existing claims belong to a process that has ended
 * @param options.pollIntervalMs how soon due retries, and deliveries whose job was lost, are found
 * @returns a function that stops claiming and resolves when active attempts have finished or were released
 */
export async function startDeliverer(
  deps: Deps,
  { alone, pollIntervalMs = 1_000 }: { alone: boolean; pollIntervalMs?: number },
): Promise<() => Promise<void>> {
  const { log, queue } = deps;
  const shutdown = new AbortController();
  const active = new Set<Promise<void>>();
  const activeByEndpoint = new Map<string, number>();
  let stopping = false;
  const isFull = (): boolean => stopping || active.size >= MAX_CONCURRENT;
  const count = (endpoint_id: string, change: 1 | -1): void => {
    const active_count = (activeByEndpoint.get(endpoint_id) ?? 0) + change;
    if (active_count > 0) activeByEndpoint.set(endpoint_id, active_count);
    else activeByEndpoint.delete(endpoint_id);
  };

  async function deliverDue(): Promise<void> {
    const busy = [...activeByEndpoint]
      .filter(([, active_count]) => active_count >= ATTEMPTS_PER_ENDPOINT)
      .map(([endpoint_id]) => endpoint_id);
    if (isFull()) return;
    for (const endpoint_id of await listEndpointsWithDue(deps, busy)) await claimAndStart(endpoint_id);
  }

  async function claimAndStart(endpoint_id: string): Promise<void> {
    if (isFull()) return;
    for (const claimed of await claimDueDeliveries(deps, endpoint_id)) startDelivery(claimed);
  }

  function startDelivery(claimed: ClaimedDelivery): void {
    count(claimed.endpoint.id, 1);
    const deliveryRun = deliver(claimed).finally(() => active.delete(deliveryRun));
    active.add(deliveryRun);
  }

  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    const { delivery, endpoint, owner } = claimed;
    try {
      const attempt = await attemptDelivery(deps, claimed, shutdown.signal);
      // Failed attempts wait for the next poll: many may fail at the same moment, and their retries must not delay
      // others.
      const claimsNext = attempt.error === null && !stopping;
      for (const next of await recordAttempt(deps, claimed, attempt, claimsNext)) startDelivery(next);
    } catch (error) {
      if (!shutdown.signal.aborted)
        log.error(
          { err: error, delivery_id: delivery.id },
          'webhook delivery interrupted; retried when its lease expires',
        );
      else await releaseClaims(deps.db, owner, delivery.id).catch(() => undefined);
    } finally {
      count(endpoint.id, -1);
    }
  }

  if (alone) await releaseClaims(deps.db, null);
  const stopWorking = await queue.work('webhook.deliver', 1, deliverDue);
  const stopPolling = repeatEvery(deps, pollIntervalMs, deliverDue);
  return async () => {
    stopping = true;
    const grace = setTimeout(() => shutdown.abort(new ShutdownError()), GRACE_MS);
    await Promise.all([stopWorking(), stopPolling()]);
    await Promise.all(active);
    clearTimeout(grace);
  };
}
