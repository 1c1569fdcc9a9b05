import { and, desc, eq, lt } from 'drizzle-orm';
import { collectionItems, collections } from '#server/platform/db/schema/collection-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import type { WorkScope } from '#server/platform/db/work-scope.ts';
import { type MediaRow, findMediaRows } from '#server/studio/library/media-rows.ts';
import { collectionsOf } from './find-collection.ts';
import { type ItemConditions, isListedItem } from './listed-items.ts';

interface CollectionMediaPage {
  limit: number;
  /** Position of the last item of the page before. */
  before: string | undefined;
  offset?: number;
  conditions: ItemConditions;
}

export type CollectionMediaRow = MediaRow & { position: bigint };

/**
 * Reads media of a collection, those added last first. An unknown collection has none.
 * @param callerScope what the caller sees
 * @param scope whose media are wanted
 */
export async function listCollectionMedia(
  db: Db,
  callerScope: WorkScope,
  scope: WorkScope,
  collectionId: string,
  { limit, before, offset = 0, conditions }: CollectionMediaPage,
): Promise<CollectionMediaRow[]> {
  const { media_id, position } = collectionItems;
  const items = await db
    .select({ media_id, position })
    .from(collectionItems)
    .innerJoin(collections, and(eq(collections.id, collectionItems.collection_id), collectionsOf(callerScope)))
    .where(
      and(
        eq(collectionItems.collection_id, collectionId),
        before === undefined ? undefined : lt(position, BigInt(before)),
        isListedItem(db, scope, conditions),
      ),
    )
    .orderBy(desc(position))
    .limit(limit)
    .offset(offset);
  const rows = await findMediaRows(
    db,
    scope.organization_id,
    items.map((item) => item.media_id),
  );
  return items.flatMap((item) => {
    const row = rows.get(item.media_id);
    return row ? [{ ...row, position: item.position ?? 0n }] : [];
  });
}
