import { and, eq, lte } from 'drizzle-orm';
import { findOperatorId } from '#server/accounts/audit/find-operator-id.ts';
import { serviceActor } from '#server/accounts/audit/record-audit-event.ts';
import { hasBill } from '#server/accounts/closing/bills/store-read-bill.ts';
import { isMonthClosed } from '#server/accounts/closing/settling/closing-entries.ts';
import { monthPeriod } from '#server/accounts/closing/matching/select-pairs.ts';
import { providerBillingKeys } from '#server/platform/db/schema/provider-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { JobData } from '#server/platform/jobs/jobs.ts';
import { repeatEvery } from '#server/platform/jobs/repeat-every.ts';
import { readProviderBill } from './read-provider-bill.ts';

const ENQUEUE_INTERVAL_MS = 60_000;
const DAY_MS = 86_400_000;
/** Also after a read that a process did not finish. */
const RETRY_AFTER_MS = 3_600_000;
/** Providers bill late. */
const DAYS_AFTER_MONTH = 45;

/**
 * Reads the open bills of each provider with a billing key once a day.
 * @returns a function that stops and resolves when active reads have ended
 */
export async function startBillReads(deps: Deps, shutdown: AbortSignal): Promise<() => Promise<void>> {
  const stopReads = await deps.queue.work('bills.read', 1, (job) => readDueBills(deps, job, shutdown));
  const stopRepeating = repeatEvery(deps, ENQUEUE_INTERVAL_MS, () => enqueueDueReads(deps));
  return async () => {
    await Promise.all([stopReads(), stopRepeating()]);
  };
}

/** Providers belong to the installation, so its first organization has their bills. */
async function enqueueDueReads({ db, clock, queue }: Deps): Promise<void> {
  const organization_id = await findOperatorId(db);
  const due = await db
    .select({ provider_id: providerBillingKeys.connection_id })
    .from(providerBillingKeys)
    .where(lte(providerBillingKeys.due_at, clock.now()));
  if (due.length === 0 || organization_id === null) return;
  await db.transaction(async (tx) => {
    for (const { provider_id } of due)
      await queue.send(tx, 'bills.read', { organization_id, provider_id }, { key: provider_id });
  });
}

/**
 * Reads the current month and those that ended up to 45 days ago, unless they are closed or were added as files. A
 * provider that fails is asked again in an hour. Decision: Billing keys
 */
export async function readDueBills(
  deps: Deps,
  { organization_id, provider_id }: JobData['bills.read'],
  signal: AbortSignal,
): Promise<void> {
  const now = deps.clock.now();
  const isKey = eq(providerBillingKeys.connection_id, provider_id);
  const claimed = await deps.db
    .update(providerBillingKeys)
    .set({ due_at: new Date(now.getTime() + RETRY_AFTER_MS) })
    .where(and(isKey, lte(providerBillingKeys.due_at, now)))
    .returning({ id: providerBillingKeys.connection_id });
  if (claimed.length === 0) return;
  for (const month of listOpenMonths(now)) {
    const about = { organization_id, provider_id, month };
    if (await isMonthClosed(deps.db, organization_id, month)) continue;
    if (await hasBill(deps.db, about, 'file')) continue;
    const read = await readProviderBill(deps, serviceActor(organization_id), about, signal);
    if ('problem' in read) return;
  }
  await deps.db
    .update(providerBillingKeys)
    .set({ due_at: new Date(now.getTime() + DAY_MS), read_at: now })
    .where(isKey);
}

/** Months in UTC that may still get lines, the newest first. */
export function listOpenMonths(now: Date): string[] {
  const months: string[] = [];
  const day = new Date(now);
  day.setUTCDate(1);
  for (;;) {
    const month = day.toISOString().slice(0, 7);
    if (monthPeriod(month).to.getTime() + DAYS_AFTER_MONTH * DAY_MS <= now.getTime()) return months;
    months.push(month);
    day.setUTCMonth(day.getUTCMonth() - 1);
  }
}
