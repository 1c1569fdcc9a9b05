import type { Deps } from '#server/platform/deps.ts';
import { and, eq } from 'drizzle-orm';
import type { MediaItem } from '#contract/resources/media.ts';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import { LISTED_ASSETS, LISTED_UPLOADS } from './media-rows.ts';
import { presentMedia } from './present-media.ts';
import { findMediaRow } from './read-media.ts';

/** @throws {ApiError} 404 `not_found` */
export async function setFavourite(
  deps: Deps,
  organizationId: string,
  id: string,
  favourite: boolean,
): Promise<MediaItem> {
  const { db } = deps;
  await (id.startsWith('upl_')
    ? db
        .update(uploads)
        .set({ favourite })
        .where(and(eq(uploads.id, id), eq(uploads.organization_id, organizationId), LISTED_UPLOADS))
    : db
        .update(assets)
        .set({ favourite })
        .where(and(eq(assets.id, id), eq(assets.organization_id, organizationId), LISTED_ASSETS)));
  const [item] = await presentMedia(deps, [await findMediaRow(deps.db, organizationId, id)]);
  if (!item) throw new Error('The medium was not presented.');
  return item;
}
