import type { Deps } from '#server/platform/deps.ts';
import { and, desc, eq, exists, ilike, lt, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { Collection } from '#contract/resources/collection.ts';
import { parsePageCursor, presentPage } from '#server/platform/core/list-page.ts';
import { collectionItems, collections } from '#server/platform/db/schema/collection-schema.ts';
import type { WorkScope } from '#server/platform/db/work-scope.ts';
import { collectionsOf, findCollection } from './find-collection.ts';
import { isListedItem } from './listed-items.ts';
import { presentCollections } from './present-collections.ts';

/** A page of collections, newest first. @throws {ApiError} 400 `invalid_request` for an invalid cursor */
export async function listCollections(
  deps: Deps,
  scope: WorkScope,
  { limit, cursor, q, media_id }: QueryOf<'list_collections'>,
): Promise<List<Collection>> {
  const { db, secrets } = deps;
  const list = { organization_id: scope.organization_id, list: 'collections' } as const;
  const before = parsePageCursor(secrets, list, cursor);
  const rows = await db
    .select()
    .from(collections)
    .where(
      and(
        collectionsOf(scope),
        before === undefined ? undefined : lt(collections.id, before),
        q === undefined ? undefined : ilike(collections.name, `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
        media_id === undefined
          ? undefined
          : exists(
              db
                .select({ one: sql`1` })
                .from(collectionItems)
                .where(
                  and(
                    eq(collectionItems.collection_id, collections.id),
                    eq(collectionItems.media_id, media_id),
                    isListedItem(db, scope, { asset: undefined, upload: undefined }),
                  ),
                ),
            ),
      ),
    )
    .orderBy(desc(collections.id))
    .limit(limit + 1);
  return presentPage(secrets, list, {
    rows,
    limit,
    position: ({ id }) => id,
    present: (page) => presentCollections(deps, scope, page),
  });
}

/** @throws {ApiError} 404 `not_found` */
export async function readCollection(deps: Deps, scope: WorkScope, id: string): Promise<Collection> {
  const [collection] = await presentCollections(deps, scope, [await findCollection(deps.db, scope, id)]);
  if (!collection) throw new Error('The collection was not presented.');
  return collection;
}
