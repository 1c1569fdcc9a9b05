import { and, asc, eq } from 'drizzle-orm';
import { releaseFunds } from '#server/accounts/billing/fund-transfers.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { markCanceled } from './cancel-generation.ts';
import type { GenerationFailure } from './failure.ts';
import type { GenerationRow } from './read/generation-row.ts';

const BATCH_SIZE = 50;

const keyRevokedFailure = (keyName: string): GenerationFailure => ({
  code: 'key_revoked',
  message: `The key “${keyName}” was revoked before this generation started.`,
  retryable: true,
});

/** Cancels the queued generations of a revoked key and releases their reservations. Workers handle claimed ones. */
export async function cancelQueuedGenerations(deps: Deps, key: { id: string; name: string }): Promise<void> {
  const isQueued = and(eq(generations.created_by, key.id), eq(generations.status, 'queued'));
  for (let count = BATCH_SIZE; count === BATCH_SIZE;) {
    count = await deps.db.transaction(async (tx) => {
      const rows = await tx
        .select()
        .from(generations)
        .where(isQueued)
        .orderBy(asc(generations.id))
        .limit(BATCH_SIZE)
        .for('no key update', { skipLocked: true });
      await cancelAll(deps, tx, rows, keyRevokedFailure(key.name));
      return rows.length;
    });
  }
}

/** @returns whether it was canceled */
export async function cancelIfRevoked(deps: Deps, row: GenerationRow): Promise<boolean> {
  const [key] = await deps.db.select().from(apiKeys).where(eq(apiKeys.id, row.created_by));
  if (!key?.revoked_at) return false;
  await deps.db.transaction((tx) => cancelAll(deps, tx, [row], keyRevokedFailure(key.name)));
  return true;
}

/**
 * Cancels generations and releases their reservations.
 * @param reason null: a caller cancels them
 * @returns the ids of those that were active
 */
export async function cancelAll(
  deps: Deps,
  tx: Tx,
  rows: readonly GenerationRow[],
  reason: GenerationFailure | null,
): Promise<string[]> {
  const now = deps.clock.now();
  const canceled: GenerationRow[] = [];
  for (const { id, organization_id } of rows) {
    const row = await markCanceled(deps, tx, organization_id, id, now, reason);
    if (row) canceled.push(row);
  }
  // Last, because it locks the account of the whole organization.
  for (const row of canceled) await releaseFunds(tx, row, row.amount_micro_usd, now);
  return canceled.map(({ id }) => id);
}
