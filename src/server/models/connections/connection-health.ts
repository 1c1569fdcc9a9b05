import type { Db } from '#server/platform/db/db.ts';
import { eq, gt, and, sql } from 'drizzle-orm';
import { findOperatorId } from '#server/accounts/audit/find-operator-id.ts';
import { serviceActor } from '#server/accounts/audit/record-audit-event.ts';
import { providerConnections } from '#server/platform/db/schema/provider-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { recordProviderEvent } from './record-provider-event.ts';

/** Consecutive jobs that a provider rejects for its key or credit before the service pauses it. */
const MAX_ACCOUNT_PROBLEMS = 3;

/**
 * Records a problem of a connection in the provider's own words. Repeated rejections of its account pause it, so that
 * requests go to the next provider instead of failing.
 */
export async function recordConnectionProblem(
  { db, clock, log, offering }: Deps,
  connectionId: string,
  { message, is_account_problem }: { message: string; is_account_problem: boolean },
): Promise<void> {
  const now = clock.now();
  const [row] = await db
    .update(providerConnections)
    .set({
      last_problem: message,
      last_problem_at: now,
      ...(is_account_problem ? { account_problems: sql`${providerConnections.account_problems} + 1` } : {}),
    })
    .where(eq(providerConnections.id, connectionId))
    .returning();
  if (!row || row.state === 'paused' || row.account_problems < MAX_ACCOUNT_PROBLEMS) return;
  const pausedReason = `It rejected ${row.account_problems} jobs in a row: ${message}`;
  await db.transaction(async (tx) => {
    const [paused] = await tx
      .update(providerConnections)
      .set({ state: 'paused', paused_reason: pausedReason, updated_at: now })
      .where(and(eq(providerConnections.id, connectionId), eq(providerConnections.state, 'active')))
      .returning();
    const operatorId = await findOperatorId(tx);
    if (!paused || operatorId === null) return;
    const change = { action: 'provider.paused', after: { reason: pausedReason } } as const;
    await recordProviderEvent(tx, serviceActor(operatorId), paused, change, now);
  });
  log.error({ provider: connectionId, reason: message }, 'provider paused');
  await offering.refresh();
}

/** Ends the count of consecutive rejections. */
export async function recordConnectionSuccess(db: Db, connectionId: string): Promise<void> {
  await db
    .update(providerConnections)
    .set({ account_problems: 0 })
    .where(and(eq(providerConnections.id, connectionId), gt(providerConnections.account_problems, 0)));
}
