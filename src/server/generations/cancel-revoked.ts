import { and, asc, eq } from 'drizzle-orm';
import { release } from '../billing/move-funds.ts';
import type { Deps } from '../deps.ts';
import type { Tx } from '../db/db.ts';
import { apiKeys, generations } from '../db/schema.ts';
import { stopGeneration } from './cancel.ts';
import type { Failure } from './failure.ts';
import type { GenerationRow } from './present.ts';

type Canceling = Pick<Deps, 'db' | 'clock' | 'queue' | 'transition_listeners'>;

const AT_ONCE = 50;

const reasonOf = (key_name: string): Failure => ({
  code: 'key_revoked',
  message: `The key “${key_name}” was revoked before this began.`,
  retryable: true,
});

/** Cancels what a revoked key has queued, and gives the reservations back. What a worker has claimed is left to it. */
export async function cancelQueuedOf(deps: Canceling, key: { id: string; name: string }): Promise<void> {
  const is_queued = and(eq(generations.created_by, key.id), eq(generations.status, 'queued'));
  for (let found = AT_ONCE; found === AT_ONCE;) {
    found = await deps.db.transaction(async (tx) => {
      const rows = await tx
        .select()
        .from(generations)
        .where(is_queued)
        .orderBy(asc(generations.id))
        .limit(AT_ONCE)
        .for('no key update', { skipLocked: true });
      await cancelAll(deps, tx, rows, reasonOf(key.name));
      return rows.length;
    });
  }
}

/**
 * Cancels a generation that nothing was done for yet, where its key was revoked since it was queued.
 * @returns whether it was
 */
export async function cancelIfRevoked(deps: Canceling, row: GenerationRow): Promise<boolean> {
  const [key] = await deps.db.select().from(apiKeys).where(eq(apiKeys.id, row.created_by));
  if (!key?.revoked_at) return false;
  await deps.db.transaction((tx) => cancelAll(deps, tx, [row], reasonOf(key.name)));
  return true;
}

async function cancelAll(deps: Canceling, tx: Tx, rows: readonly GenerationRow[], reason: Failure): Promise<void> {
  const now = deps.clock.now();
  const canceled: GenerationRow[] = [];
  for (const { id, organization_id } of rows) {
    const row = await stopGeneration(deps, tx, organization_id, id, now, reason);
    if (row) canceled.push(row);
  }
  // Last: it locks the account, and all others of the organization wait for the lock.
  for (const row of canceled) await release(tx, row, row.amount_micro_usd, now);
}
