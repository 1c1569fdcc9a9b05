import type { Deps } from '#server/platform/deps.ts';
import { and, asc, eq, inArray } from 'drizzle-orm';
import { MAX_COLLECTION_MEDIA } from '#contract/limits.ts';
import type { CollectionChange } from '#contract/resources/collection.ts';
import { lockMedia } from '#server/studio/assets/lock-media.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { collectionItems, collections } from '#server/platform/db/schema/collection-schema.ts';
import { findVisible, scopeWork } from '#server/accounts/people/own-work.ts';
import { findMediaRows } from '#server/studio/library/media-rows.ts';
import { findCollection } from './find-collection.ts';
import { readCollection } from './list-collections.ts';

/**
 * Adds media to a collection; the first of them is shown first.
 * @throws {ApiError} 404 `not_found`; 400 `invalid_request` for more than it can hold
 */
export async function addCollectionMedia(
  deps: Deps,
  caller: Caller,
  id: string,
  mediaIds: readonly string[],
): Promise<CollectionChange> {
  const { organization_id, key_id } = caller;
  const scope = scopeWork(caller, undefined);
  const requested = [...new Set(mediaIds)];
  const visible = await findVisible(deps, caller, requested);
  const now = deps.clock.now();
  const { changed_ids, found } = await deps.db.transaction(async (tx) => {
    await findCollection(tx, scope, id, 'for update');
    const ids = requested.filter((media_id) => visible.has(media_id));
    // Keeps a file from being deleted for good while it is added.
    await lockMedia(tx, organization_id, ids, 'key share');
    const listed = await findMediaRows(tx, organization_id, ids, 0);
    const present = await tx
      .select({ media_id: collectionItems.media_id })
      .from(collectionItems)
      .where(eq(collectionItems.collection_id, id));
    const presentIds = new Set(present.map((item) => item.media_id));
    const added = ids.filter((media_id) => listed.has(media_id) && !presentIds.has(media_id));
    if (present.length + added.length > MAX_COLLECTION_MEDIA) {
      const room = Math.max(0, MAX_COLLECTION_MEDIA - present.length);
      throw new ApiError(
        'invalid_request',
        `A collection can hold up to ${MAX_COLLECTION_MEDIA} files. There is room for ${room} more.`,
      );
    }
    if (added.length > 0) {
      const rows = added.map((media_id) => ({ collection_id: id, media_id, added_by: key_id, added_at: now }));
      await tx.insert(collectionItems).values(rows.toReversed());
      await tx.update(collections).set({ updated_at: now }).where(eq(collections.id, id));
    }
    return { changed_ids: added, found: listed };
  });
  return {
    object: 'collection_change',
    changed_ids,
    missing_ids: requested.filter((media_id) => !found.has(media_id)),
    collection: await readCollection(deps, scope, id),
  };
}

/** Removes media from a collection, also those in the trash. @throws {ApiError} 404 `not_found` */
export async function removeCollectionMedia(
  deps: Deps,
  caller: Caller,
  id: string,
  mediaIds: readonly string[],
): Promise<CollectionChange> {
  const scope = scopeWork(caller, undefined);
  const requested = [...new Set(mediaIds)];
  const visible = await findVisible(deps, caller, requested);
  const removed = await deps.db.transaction(async (tx) => {
    await findCollection(tx, scope, id, 'for update');
    const items = and(
      eq(collectionItems.collection_id, id),
      inArray(
        collectionItems.media_id,
        requested.filter((media_id) => visible.has(media_id)),
      ),
    );
    // In the order of `removeMedia`, so that the two never wait for each other.
    await tx.select().from(collectionItems).where(items).orderBy(asc(collectionItems.media_id)).for('update');
    const rows = await tx.delete(collectionItems).where(items).returning({ media_id: collectionItems.media_id });
    const ids = new Set(rows.map(({ media_id }) => media_id));
    if (ids.size > 0) await tx.update(collections).set({ updated_at: deps.clock.now() }).where(eq(collections.id, id));
    return ids;
  });
  return {
    object: 'collection_change',
    changed_ids: requested.filter((media_id) => removed.has(media_id)),
    missing_ids: [],
    collection: await readCollection(deps, scope, id),
  };
}
