import type { Db } from '#server/platform/db/db.ts';
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import type { AiLabel } from '#contract/resources/credentials.ts';
import { findDerivative } from '#server/studio/assets/derivatives/read-derivatives.ts';
import { type StoredMedia, findStoredMedia } from '#server/studio/assets/find-stored-media.ts';
import { collectionItems, collections } from '#server/platform/db/schema/collection-schema.ts';
import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import { mediaDerivatives } from '#server/platform/db/schema/derivative-schema.ts';
import { apiKeys, organizations } from '#server/platform/db/schema/organization-schema.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { organizationLogos, shares } from '#server/platform/db/schema/share-schema.ts';
import { LISTED_PROMPT_CHARACTERS } from '#server/platform/db/select-prompt.ts';
import type { WorkScope } from '#server/platform/db/work-scope.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findMadeBy } from '#server/accounts/people/own-work.ts';
import { collectionsOf } from '#server/studio/library/collections/find-collection.ts';
import { isListedItem } from '#server/studio/library/collections/listed-items.ts';
import { listCollectionMedia } from '#server/studio/library/collections/list-collection-media.ts';
import { type MediaRow, findMediaRows } from '#server/studio/library/media-rows.ts';
import { hashShareToken } from './create-share.ts';
import type { ShareRow } from './present-shares.ts';

/** A share that a visitor may see. */
export interface OpenShare {
  row: ShareRow;
  /** null: it is not shown. */
  organizationName: string | null;
  /** null: there is none, or it is not shown. */
  logoKey: string | null;
  /** What its creator may see: a page never shows more. */
  scope: WorkScope;
}

const TOKEN = /^[\w-]{43}$/;

/** @returns null for a token that is unknown, expired, revoked, or of an organization that has switched sharing off */
export async function findOpenShare({ db, clock }: Deps, token: string): Promise<OpenShare | null> {
  if (!TOKEN.test(token)) return null;
  const [found] = await db
    .select({
      row: shares,
      organizationName: organizations.name,
      logoKey: organizationLogos.storage_key,
      ownOnly: sql<boolean>`${organizations.members_see_own_work_only} and coalesce(${people.role} = 'member', false)`,
      person_id: apiKeys.person_id,
    })
    .from(shares)
    .innerJoin(organizations, eq(organizations.id, shares.organization_id))
    .leftJoin(organizationLogos, eq(organizationLogos.organization_id, shares.organization_id))
    .innerJoin(apiKeys, eq(apiKeys.id, shares.created_by))
    .leftJoin(people, eq(people.id, apiKeys.person_id))
    .where(
      and(
        eq(shares.token_sha256, hashShareToken(token)),
        isNull(shares.revoked_at),
        eq(organizations.sharing_enabled, true),
      ),
    );
  if (!found) return null;
  const { row, organizationName, logoKey, ownOnly, person_id } = found;
  if (row.expires_at && row.expires_at <= clock.now()) return null;
  return {
    row,
    organizationName: row.shows_organization ? organizationName : null,
    logoKey: row.shows_organization ? logoKey : null,
    scope: { organization_id: row.organization_id, person_id: ownOnly ? person_id : null },
  };
}

/** A part of what a share shows now. @returns null if that is gone as a whole */
export async function listSharedMedia(
  db: Db,
  { row, scope }: OpenShare,
  { limit, offset }: { limit: number; offset: number },
): Promise<MediaRow[] | null> {
  const { organization_id, media_ids, collection_id } = row;
  if (media_ids !== null) {
    const visible = await findMadeBy({ db }, scope, media_ids);
    const found = await findMediaRows(db, organization_id, [...visible], LISTED_PROMPT_CHARACTERS);
    const listed = media_ids.flatMap((id) => found.get(id) ?? []);
    return listed.length === 0 ? null : listed.slice(offset, offset + limit);
  }
  if (!(await hasCollection(db, scope, collection_id))) return null;
  const conditions = { asset: undefined, upload: undefined };
  const everybody = { organization_id, person_id: null };
  const page = { limit, offset, before: undefined, conditions };
  return listCollectionMedia(db, everybody, scope, collection_id ?? '', page);
}

const hasCollection = async (db: Deps['db'], scope: WorkScope, id: string | null): Promise<boolean> =>
  (await db.$count(collections, and(eq(collections.id, id ?? ''), collectionsOf(scope)))) > 0;

/** The names of the derivatives of media, by their storage keys. */
export async function listVariants(db: Db, media: readonly MediaRow[]): Promise<Map<string, Set<string>>> {
  const variants = new Map<string, Set<string>>();
  const keys = media.map(({ storage_key }) => storage_key);
  if (keys.length === 0) return variants;
  const rows = await db
    .select({ source_key: mediaDerivatives.source_key, variant: mediaDerivatives.variant })
    .from(mediaDerivatives)
    .where(inArray(mediaDerivatives.source_key, keys));
  for (const { source_key, variant } of rows)
    variants.set(source_key, (variants.get(source_key) ?? new Set()).add(variant));
  return variants;
}

/** The labels of media that have content credentials, by id; null: no AI was involved. */
export async function listCredentials(
  db: Db,
  media: readonly Pick<MediaRow, 'id'>[],
): Promise<Map<string, AiLabel | null>> {
  const { asset_id, ai, place } = assetCredentials;
  const ids = media.map(({ id }) => id);
  const rows = await db
    .select({ asset_id, ai })
    .from(assetCredentials)
    .where(and(inArray(asset_id, ids), ne(place, 'none')));
  return new Map(rows.map((row) => [row.asset_id, row.ai]));
}

/** Hides the id of a file in links of a share; they end with it. */
export const sealItem = ({ secrets }: Deps, { row }: OpenShare, media_id: string): string =>
  secrets.encrypt('share-item', row.id, media_id);

/**
 * The file behind a link of a share.
 * @param variant null: the original, which only a share with downloads has
 * @returns null if the share does not show it now
 */
export async function findSharedFile(
  deps: Deps,
  share: OpenShare,
  sealed: string,
  variant: string | null,
): Promise<StoredMedia | null> {
  if (variant === null && !share.row.allows_downloads) return null;
  const mediaId = await findSharedId(deps, share, sealed);
  if (mediaId === null) return null;
  const medium = await findStoredMedia(deps.db, mediaId);
  if (medium === null || variant === null) return medium;
  // The waveform is data for the dashboard.
  return variant === 'waveform' ? null : findDerivative(deps.db, medium, variant);
}

/** The id of a file from its link. @returns null if the share does not show it now */
export async function findSharedId(
  { db, secrets }: Deps,
  { row, scope }: OpenShare,
  sealed: string,
): Promise<string | null> {
  const mediaId = secrets.decrypt('share-item', row.id, sealed);
  return mediaId !== null && (await isShown(db, row, scope, mediaId)) ? mediaId : null;
}

async function isShown(db: Db, row: ShareRow, scope: WorkScope, media_id: string): Promise<boolean> {
  if (row.media_ids !== null) {
    if (!row.media_ids.includes(media_id) || !(await findMadeBy({ db }, scope, [media_id])).has(media_id)) return false;
    return (await findMediaRows(db, row.organization_id, [media_id], 0)).has(media_id);
  }
  const isItem = and(
    eq(collectionItems.collection_id, row.collection_id ?? ''),
    eq(collectionItems.media_id, media_id),
    isListedItem(db, scope, { asset: undefined, upload: undefined }),
  );
  return (await hasCollection(db, scope, row.collection_id)) && (await db.$count(collectionItems, isItem)) > 0;
}

/** Counts a visit of the page. */
export async function countView({ db, clock }: Deps, { row }: OpenShare): Promise<void> {
  await db
    .update(shares)
    .set({ view_count: sql`${shares.view_count} + 1`, last_viewed_at: clock.now() })
    .where(eq(shares.id, row.id));
}
