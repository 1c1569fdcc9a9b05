import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Collection } from '#contract/resources/collection.ts';
import { readDerivatives } from '#server/studio/assets/derivatives/read-derivatives.ts';
import { createMediaLink } from '#server/studio/assets/media-links.ts';
import { collectionItems, collections } from '#server/platform/db/schema/collection-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import type { WorkScope } from '#server/platform/db/work-scope.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import { type MediaRow, findMediaRows } from '#server/studio/library/media-rows.ts';
import type { CollectionRow } from './find-collection.ts';
import { isListedItem } from './listed-items.ts';

/** Adds what the caller sees in each collection: its cover and the number of its media. */
export async function presentCollections(
  deps: Omit<Deps, 'db'> & { db: Pick<Db | Tx, 'select'> },
  scope: WorkScope,
  rows: readonly CollectionRow[],
): Promise<Collection[]> {
  const sums = await summarize(deps.db, scope, rows);
  const coverIds = [...sums.values()].map(({ cover_id }) => cover_id);
  const [covers, derivatives, creatorOf] = [
    await findMediaRows(deps.db, scope.organization_id, coverIds, 0),
    await readDerivatives(deps, coverIds),
    await readCreators(
      deps,
      rows.map(({ created_by }) => created_by),
    ),
  ];
  const presentCover = ({ cover_media_id }: CollectionRow, cover: MediaRow | undefined): Collection['cover'] =>
    cover === undefined
      ? null
      : {
          id: cover.id,
          type: cover.type,
          url: createMediaLink(deps, cover.id).url,
          width: cover.width,
          height: cover.height,
          derivatives: derivatives.get(cover.id) ?? null,
          is_chosen: cover.id === cover_media_id,
        };
  return rows.map((row) => {
    const sum = sums.get(row.id);
    return {
      object: 'collection',
      id: row.id,
      name: row.name,
      description: row.description,
      media_count: sum?.count ?? 0,
      cover: presentCover(row, sum && covers.get(sum.cover_id)),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      created_by: creatorOf(row.created_by),
    };
  });
}

async function summarize(
  db: Pick<Db | Tx, 'select'>,
  scope: WorkScope,
  rows: readonly CollectionRow[],
): Promise<Map<string, { count: number; cover_id: string }>> {
  if (rows.length === 0) return new Map();
  const { collection_id, media_id, position } = collectionItems;
  const isChosen = sql`coalesce(${media_id} = ${collections.cover_media_id}, false)`;
  const sums = await db
    .select({
      collection_id,
      count: sql<number>`count(*)::int`,
      cover_id: sql<string>`(array_agg(${media_id} order by ${isChosen} desc, ${position} desc))[1]`,
    })
    .from(collectionItems)
    .innerJoin(collections, eq(collections.id, collection_id))
    .where(
      and(
        inArray(
          collection_id,
          rows.map(({ id }) => id),
        ),
        isListedItem(db, scope, { asset: undefined, upload: undefined }),
      ),
    )
    .groupBy(collection_id);
  return new Map(sums.map((sum) => [sum.collection_id, sum]));
}
