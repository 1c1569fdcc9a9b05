import type { Deps } from '#server/platform/deps.ts';
import { ShutdownError } from '#server/platform/core/process/shutdown-error.ts';
import { repeatEvery } from '#server/platform/jobs/repeat-every.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import {
  type CallbackDelivery,
  attemptCallback,
  claimDueCallbacks,
  recordCallback,
  releaseCallbacks,
} from './callback-deliveries.ts';
import { type ClaimedDelivery, claimDueDeliveries, listEndpointsWithDue, releaseClaims } from './claim-deliveries.ts';
import { createFailureLog } from './failure-log.ts';
import type { CallbackFormats } from './order-callbacks.ts';
import { recordAttempt } from './record-attempt.ts';
import { createDeliveryTurns } from './delivery-turns.ts';

const GRACE_MS = 8_000;

/**
 * Delivers due events, and results to the addresses of orders. All take turns, so none delays another. A delivery that a
 * killed process had claimed is sent again: at least once. Spec: Receiver obligations and retries
 * @param options.alone no other process delivers, so existing claims belong to a process that has ended
 * @param options.formats of the requests to addresses of orders; without them none are sent
 * @param options.pollIntervalMs how soon due retries, and deliveries whose job was lost, are found
 * @returns a function that stops claiming and resolves when active attempts have finished or were released
 */
export async function startDeliverer(
  deps: Deps,
  { alone, formats, pollIntervalMs = 1_000 }: { alone: boolean; formats?: CallbackFormats; pollIntervalMs?: number },
): Promise<() => Promise<void>> {
  const { db, log, queue } = deps;
  const shutdown = new AbortController();
  const active = new Set<Promise<void>>();
  const turns = createDeliveryTurns();
  const logFailure = createFailureLog(deps);
  let stopping = false;
  const isFull = (): boolean => stopping || turns.isFull();

  async function deliverDue(): Promise<void> {
    if (isFull()) return;
    for (const endpoint_id of await listEndpointsWithDue(deps, turns)) await claimAndStart(endpoint_id);
    if (formats) await startCallbacks(formats);
  }

  async function claimAndStart(endpointId: string): Promise<void> {
    if (isFull()) return;
    for (const claimed of await claimDueDeliveries(deps, endpointId)) startDelivery(claimed);
  }

  async function startCallbacks(known: CallbackFormats): Promise<void> {
    while (!isFull()) {
      const claimed = await claimDueCallbacks(deps, turns);
      if (claimed.length === 0) return;
      for (const delivery of claimed) track(sendCallback(known, delivery));
    }
  }

  function track(attempt: Promise<void>): void {
    const tracked = attempt.finally(() => active.delete(tracked));
    active.add(tracked);
  }

  function startDelivery(claimed: ClaimedDelivery): void {
    const { id: endpoint, organization_id: organization } = claimed.endpoint;
    track(deliver(claimed).finally(turns.begin({ endpoint, organization })));
  }

  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    const { delivery, endpoint, owner } = claimed;
    try {
      const attempt = await attemptDelivery(deps, claimed, shutdown.signal);
      if (attempt.error !== null)
        logFailure(endpoint.id, { endpoint_id: endpoint.id, status_code: attempt.status_code, reason: attempt.error });
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
      else await releaseClaims(db, owner, delivery.id).catch(() => undefined);
    }
  }

  async function sendCallback(known: CallbackFormats, delivery: CallbackDelivery): Promise<void> {
    const { generation_id, event, organization_id: organization, key_id: key, receiver } = delivery;
    const endTurn = turns.begin({ organization, key, receiver });
    try {
      const problem = await attemptCallback(deps, known, delivery, shutdown.signal);
      if (problem !== null) logFailure(receiver, { generation_id, event, key_id: key, reason: problem });
      await recordCallback(deps, delivery, problem);
    } catch (error) {
      if (!shutdown.signal.aborted)
        log.error({ err: error, generation_id }, 'result not sent to its address; retried when its lease expires');
      else await releaseCallbacks(db, delivery).catch(() => undefined);
    } finally {
      endTurn();
    }
  }

  if (alone) {
    await releaseClaims(db, null);
    await releaseCallbacks(db, null);
  }
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
