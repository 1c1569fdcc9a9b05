import { setTimeout as delay } from 'node:timers/promises';
import { repeatEvery } from '#server/jobs/repeat-every.ts';
import type { Deps } from '#server/deps.ts';
import { claimDerivativeJob, reclaimDerivativeJobs } from './claim-derivative-job.ts';
import { processDerivativeJob, type DerivativeDeps } from './process-derivative-job.ts';
import { enqueueMissingDerivatives } from './enqueue-derivatives.ts';

/** What a lost wake-up left, and what is to be tried again, is found this soon. */
const POLL_INTERVAL_MS = 20_000;
/** Older media are made up for with as much rest as work, so that they are in nobody's way. */
const RECENT_MS = 3_600_000;
const MAX_PAUSE_MS = 5_000;

/**
 * Makes small copies of media, one at a time in this process, beside its other work.
 * @param options.alone no other process makes any: whatever is claimed is of one that is gone
 * @returns stops what is being made, hands it back, and resolves when that is done
 */
export async function startDerivativeWorker(
  deps: DerivativeDeps & Pick<Deps, 'queue'>,
  options: { alone: boolean },
): Promise<() => Promise<void>> {
  const { clock, log, queue } = deps;
  const shutdown = new AbortController();
  const { signal } = shutdown;
  let searched = false;
  let woken = false;
  let working: Promise<void> | null = null;

  async function work(): Promise<void> {
    while (woken && !signal.aborted) {
      woken = false;
      if (!searched) await enqueueMissingDerivatives(deps, signal);
      searched = true;
      for (let claimed = await claimDerivativeJob(deps); claimed; claimed = await claimDerivativeJob(deps)) {
        const began = performance.now();
        if (!(await processDerivativeJob(deps, claimed, signal))) return;
        const is_fresh = clock.now().getTime() - claimed.created_at.getTime() < RECENT_MS;
        const rest_ms = is_fresh ? 0 : Math.min(MAX_PAUSE_MS, performance.now() - began);
        await delay(rest_ms, undefined, { signal });
      }
    }
  }

  /** Not waited for: there may be hours of it. */
  function wake(): void {
    if (signal.aborted) return;
    woken = true;
    working ??= work()
      .catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, 'small copies are not made');
      })
      .finally(() => {
        working = null;
        if (woken) wake();
      });
  }

  if (options.alone) await reclaimDerivativeJobs(deps);
  wake();
  const stopTaking = await queue.work('media.derive', 1, async () => wake());
  const stopLooking = repeatEvery(deps, POLL_INTERVAL_MS, async () => wake());
  return async () => {
    shutdown.abort(new Error('The service is shutting down.'));
    await Promise.all([stopTaking(), stopLooking()]);
    await working;
  };
}
