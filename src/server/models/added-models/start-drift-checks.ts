import type { Deps } from '#server/platform/deps.ts';
import type { JobData } from '#server/platform/jobs/jobs.ts';
import { repeatEvery } from '#server/platform/jobs/repeat-every.ts';
import { checkDrift, enqueueDueChecks } from './check-drift.ts';

const ENQUEUE_INTERVAL_MS = 60_000;

/**
 * Compares each added model with its provider once a day.
 * @returns a function that stops and resolves when active checks have ended
 */
export async function startDriftChecks(deps: Deps, shutdown: AbortSignal): Promise<() => Promise<void>> {
  // While a slow provider is asked, the spare slot takes models of another one.
  const check = (model: JobData['models.check']) => checkDrift(deps, model, shutdown);
  const stopChecks = await deps.queue.work('models.check', 1, check, { spare: true });
  const stopRepeating = repeatEvery(deps, ENQUEUE_INTERVAL_MS, () => enqueueDueChecks(deps));
  return async () => {
    await Promise.all([stopChecks(), stopRepeating()]);
  };
}
