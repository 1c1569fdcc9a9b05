import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { derivativeJobs } from '#server/platform/db/schema/derivative-schema.ts';

/** Enqueues the derivatives of new media; the worker sees them once the caller's transaction commits. */
export async function enqueueDerivatives(
  { clock, queue }: Deps,
  tx: Tx,
  media: readonly { storage_key: string }[],
): Promise<void> {
  const [first] = media;
  if (!first) return;
  const now = clock.now();
  const times = { due_at: now, created_at: now, updated_at: now };
  const rows = media.map(({ storage_key }) => ({ source_key: storage_key, state: 'waiting' as const, ...times }));
  await tx.insert(derivativeJobs).values(rows).onConflictDoNothing();
  await queue.send(tx, 'media.derive', { storage_key: first.storage_key }, { key: 'look' });
}
