import { repeatEvery } from '#server/platform/jobs/repeat-every.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ShutdownError } from '#server/platform/core/process/shutdown-error.ts';
import { claimDerivativeJob, reclaimDerivativeJobs } from './claim-derivative-job.ts';
import { processDerivativeJob } from './process-derivative-job.ts';

/** Finds retries that are due and jobs whose wake-up was lost. */
const POLL_INTERVAL_MS = 20_000;

/**
 * @param options.alone no other process runs, so every existing claim is abandoned
 * @returns a function that aborts the current job, releases it and resolves when done
 */
export async function startDerivativeWorker(deps: Deps, options: { alone: boolean }): Promise<() => Promise<void>> {
  const { log, queue } = deps;
  const shutdown = new AbortController();
  const { signal } = shutdown;
  let isNotified = false;
  let current: Promise<void> | null = null;

  async function work(): Promise<void> {
    while (isNotified && !signal.aborted) {
      isNotified = false;
      for (let claimed = await claimDerivativeJob(deps); claimed; claimed = await claimDerivativeJob(deps))
        if (!(await processDerivativeJob(deps, claimed, signal))) return;
    }
  }

  /** Does not wait for the work, which may take hours. */
  function notify(): void {
    if (signal.aborted) return;
    isNotified = true;
    current ??= work()
      .catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, 'derivative worker failed');
      })
      .finally(() => {
        current = null;
        if (isNotified) notify();
      });
  }

  if (options.alone) await reclaimDerivativeJobs(deps);
  notify();
  const stopConsuming = await queue.work('media.derive', 1, async () => notify());
  const stopPolling = repeatEvery(deps, POLL_INTERVAL_MS, async () => notify());
  return async () => {
    shutdown.abort(new ShutdownError());
    await Promise.all([stopConsuming(), stopPolling()]);
    await current;
  };
}
