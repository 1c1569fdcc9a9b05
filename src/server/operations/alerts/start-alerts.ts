import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { repeatEvery } from '#server/platform/jobs/repeat-every.ts';
import { checkAlerts } from './check-alerts.ts';
import { enqueueDueVerifications, verifyDaily } from './verify-daily.ts';

const CHECK_INTERVAL_MS = 60_000;

/**
 * Looks for causes of alerts every minute, and verifies each ledger once a day.
 * @returns a function that stops and resolves when active checks have ended
 */
export async function startAlerts(
  deps: Deps,
  shutdown: AbortSignal,
  intervalMs = CHECK_INTERVAL_MS,
): Promise<() => Promise<void>> {
  const stopChecks = await deps.queue.work('alerts.check', 1, ({ organization_id }) =>
    checkAlerts(deps, organization_id),
  );
  const stopVerifications = await deps.queue.work('ledger.verify', 1, ({ organization_id }) =>
    verifyDaily(deps, organization_id, shutdown),
  );
  const stopRepeating = repeatEvery(deps, intervalMs, () => checkEveryOrganization(deps, shutdown));
  return async () => {
    await Promise.all([stopChecks(), stopVerifications(), stopRepeating()]);
  };
}

/** A failure in one organization does not keep the others from being checked. */
async function checkEveryOrganization(deps: Deps, shutdown: AbortSignal): Promise<void> {
  await enqueueDueVerifications(deps);
  for (const { id } of await deps.db.select({ id: organizations.id }).from(organizations)) {
    if (shutdown.aborted) return;
    await checkAlerts(deps, id).catch((error: unknown) =>
      deps.log.error({ err: error, organization_id: id }, 'alerts could not be checked'),
    );
  }
}
