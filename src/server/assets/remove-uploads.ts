import { inArray } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import { uploads } from '#server/db/schema.ts';
import { findMediaInUse } from './media-uses.ts';

/**
 * Removes uploads that the caller has locked for `update`. An upload that an active generation uses is only marked;
 * `purgeRemovedUploads` deletes its row later. After the commit the caller calls `deleteUnreferencedFiles`.
 */
export async function removeUploads(tx: Tx, locked: readonly { id: string }[], now: Date): Promise<void> {
  const ids = locked.map(({ id }) => id);
  const in_use = await findMediaInUse(tx, ids);
  const [marked, deleted] = [ids.filter((id) => in_use.has(id)), ids.filter((id) => !in_use.has(id))];
  if (marked.length > 0) await tx.update(uploads).set({ removed_at: now }).where(inArray(uploads.id, marked));
  if (deleted.length > 0) await tx.delete(uploads).where(inArray(uploads.id, deleted));
}
