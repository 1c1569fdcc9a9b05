import { type SQL, and, eq, exists, or, sql } from 'drizzle-orm';
import { collectionItems } from '#server/platform/db/schema/collection-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import { madeBy, type WorkScope } from '#server/platform/db/work-scope.ts';
import { outputOf } from '#server/accounts/people/own-work.ts';
import { LISTED_ASSETS, LISTED_UPLOADS } from '#server/studio/library/media-rows.ts';

type Reader = Pick<Db | Tx, 'select'>;

/** Further conditions; null: none of these. */
export interface ItemConditions {
  asset: SQL | undefined | null;
  upload: SQL | undefined | null;
}

/** Matches items of collections whose media the library lists. */
export function isListedItem(db: Reader, scope: WorkScope, { asset, upload }: ItemConditions): SQL | undefined {
  if (asset === null && upload === null) return sql`false`;
  const { organization_id } = scope;
  const of = { assets: eq(assets.id, collectionItems.media_id), uploads: eq(uploads.id, collectionItems.media_id) };
  const own = {
    assets: eq(assets.organization_id, organization_id),
    uploads: eq(uploads.organization_id, organization_id),
  };
  const one = { one: sql`1` };
  return or(
    asset === null
      ? undefined
      : exists(
          db
            .select(one)
            .from(assets)
            .where(and(of.assets, own.assets, LISTED_ASSETS, outputOf(scope), asset)),
        ),
    upload === null
      ? undefined
      : exists(
          db
            .select(one)
            .from(uploads)
            .where(and(of.uploads, own.uploads, LISTED_UPLOADS, madeBy(uploads.created_by, scope), upload)),
        ),
  );
}
