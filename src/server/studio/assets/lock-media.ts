import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { collectionItems, mediaLabels } from '#server/platform/db/schema/collection-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import { isStored } from './find-stored-media.ts';
import { findMediaInUse } from './media-uses.ts';

/**
 * Locks media that exist: `key share` to reference them, `update` to delete them. Assets come first, to avoid deadlocks.
 * @param in_trash whether media in the trash count as well
 */
export async function lockMedia(
  tx: Tx,
  organizationId: string,
  mediaIds: readonly string[],
  strength: 'key share' | 'update',
  { in_trash = false } = {},
) {
  const locked = async (table: typeof assets | typeof uploads, ids: string[]) =>
    ids.length === 0
      ? []
      : tx
          .select({ id: table.id, type: table.type, size_bytes: table.size_bytes, storage_key: table.storage_key })
          .from(table)
          .where(
            and(
              inArray(table.id, ids),
              eq(table.organization_id, organizationId),
              in_trash ? isStored(table) : isNull(table.removed_at),
            ),
          )
          .orderBy(asc(table.id))
          .for(strength);
  const withPrefix = (prefix: string) => mediaIds.filter((id) => id.startsWith(prefix));
  const ofAssets = await locked(assets, withPrefix('ast_'));
  return [...ofAssets, ...(await locked(uploads, withPrefix('upl_')))];
}

/**
 * Removes media that are locked for `update`; `purgeRemovedUploads` deletes uploads in use later. After the commit, call
 * `deleteUnreferencedFiles`.
 */
export async function removeMedia(tx: Tx, locked: readonly { id: string }[], now: Date): Promise<void> {
  const ids = locked.map(({ id }) => id);
  const [assetIds, upload_ids] = [ids.filter((id) => id.startsWith('ast_')), ids.filter((id) => id.startsWith('upl_'))];
  await removeGroups(tx, ids);
  const inUse = await findMediaInUse(tx, upload_ids);
  const gone = upload_ids.filter((id) => !inUse.has(id));
  if (gone.length > 0) await tx.delete(uploads).where(inArray(uploads.id, gone));
  await setRemoved(tx, assets, assetIds, now);
  await setRemoved(
    tx,
    uploads,
    upload_ids.filter((id) => inUse.has(id)),
    now,
  );
}

/** Takes media out of their collections and removes their labels. */
async function removeGroups(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const items = inArray(collectionItems.media_id, [...ids]);
  await tx.select().from(collectionItems).where(items).orderBy(asc(collectionItems.media_id)).for('update');
  await tx.delete(collectionItems).where(items);
  await tx.delete(mediaLabels).where(inArray(mediaLabels.media_id, [...ids]));
}

async function setRemoved(tx: Tx, table: typeof assets | typeof uploads, ids: readonly string[], now: Date) {
  if (ids.length === 0) return;
  const removedAt = sql`coalesce(${table.removed_at}, ${now.toISOString()}::timestamptz)`;
  await tx
    .update(table)
    .set({ removed_at: removedAt, trashed_at: null })
    .where(inArray(table.id, [...ids]));
}
