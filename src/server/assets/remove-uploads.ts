import { inArray } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import { uploads } from '#server/db/schema.ts';
import { findMediaInUse } from './media-uses.ts';

/**
 * Removes uploads that the caller has locked for `update`. One that a queued or running generation needs is marked, and
 * its row goes when that has ended: see `purgeRemovedUploads`. Their bytes are the caller's, after the commit: `deleteUnreferencedFiles`.
 */
export async function removeUploads(tx: Tx, locked: readonly { id: string }[], now: Date): Promise<void> {
  const ids = locked.map(({ id }) => id);
  const needed = await findMediaInUse(tx, ids);
  const [marked, deleted] = [ids.filter((id) => needed.has(id)), ids.filter((id) => !needed.has(id))];
  if (marked.length > 0) await tx.update(uploads).set({ removed_at: now }).where(inArray(uploads.id, marked));
  if (deleted.length > 0) await tx.delete(uploads).where(inArray(uploads.id, deleted));
}
