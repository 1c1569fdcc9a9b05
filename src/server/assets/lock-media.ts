import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import { assets, uploads } from '#server/db/schema.ts';
import { findMediaInUse } from './media-uses.ts';

/** Use `key share` to reference media and `update` to delete them. Locks are taken assets first, to avoid deadlocks. */
export async function lockMedia(
  tx: Tx,
  organization_id: string,
  media_ids: readonly string[],
  strength: 'key share' | 'update',
) {
  const locked = async (table: typeof assets | typeof uploads, ids: string[]) =>
    ids.length === 0
      ? []
      : tx
          .select({ id: table.id, type: table.type, size_bytes: table.size_bytes, storage_key: table.storage_key })
          .from(table)
          .where(and(inArray(table.id, ids), eq(table.organization_id, organization_id), isNull(table.removed_at)))
          .orderBy(asc(table.id))
          .for(strength);
  const withPrefix = (prefix: string) => media_ids.filter((id) => id.startsWith(prefix));
  const of_assets = await locked(assets, withPrefix('ast_'));
  return [...of_assets, ...(await locked(uploads, withPrefix('upl_')))];
}

/**
 * Uploads are locked for `update`; `purgeRemovedUploads` deletes those in use later. After the commit, call
 * `deleteUnreferencedFiles`.
 */
export async function removeUploads(tx: Tx, locked: readonly { id: string }[], now: Date): Promise<void> {
  const ids = locked.map(({ id }) => id);
  const in_use = await findMediaInUse(tx, ids);
  const [marked, deleted] = [ids.filter((id) => in_use.has(id)), ids.filter((id) => !in_use.has(id))];
  if (marked.length > 0) await tx.update(uploads).set({ removed_at: now }).where(inArray(uploads.id, marked));
  if (deleted.length > 0) await tx.delete(uploads).where(inArray(uploads.id, deleted));
}
