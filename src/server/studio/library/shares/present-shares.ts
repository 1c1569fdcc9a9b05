import type { Db } from '#server/platform/db/db.ts';
import { mediaName } from '#server/studio/assets/media-name.ts';
import type { Share } from '#contract/resources/share.ts';
import { SHARE_PATH } from '#contract/limits.ts';
import { readDerivatives } from '#server/studio/assets/derivatives/read-derivatives.ts';
import { createMediaLink } from '#server/studio/assets/media-links.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { and, eq, inArray } from 'drizzle-orm';
import { collections } from '#server/platform/db/schema/collection-schema.ts';
import { apiKeys, organizations } from '#server/platform/db/schema/organization-schema.ts';
import type { shares } from '#server/platform/db/schema/share-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import { findVisible, scopeWork } from '#server/accounts/people/own-work.ts';
import { collectionsOf } from '#server/studio/library/collections/find-collection.ts';
import { presentCollections } from '#server/studio/library/collections/present-collections.ts';
import { type MediaRow, findMediaRows } from '#server/studio/library/media-rows.ts';
import { countAnswers } from './read-answers.ts';

export type ShareRow = typeof shares.$inferSelect;

const isText = (value: string | null): value is string => value !== null;

export async function presentShares(deps: Deps, caller: Caller, rows: readonly ShareRow[]): Promise<Share[]> {
  const { organization_id } = caller;
  const collectionIds = rows.map(({ collection_id }) => collection_id).filter(isText);
  const media = await findCovers(deps, caller, rows);
  const derivatives = await readDerivatives(deps, [...media.keys()]);
  const scope = scopeWork(caller, undefined);
  const groups = await presentCollections(
    deps,
    scope,
    collectionIds.length === 0
      ? []
      : await deps.db
          .select()
          .from(collections)
          .where(and(inArray(collections.id, collectionIds), collectionsOf(scope))),
  );
  const groupOf = new Map(groups.map((group) => [group.id, group]));
  const creatorOf = await readCreators(
    deps,
    rows.map(({ created_by }) => created_by),
  );
  const [organization] = await deps.db
    .select({ sharing_enabled: organizations.sharing_enabled })
    .from(organizations)
    .where(eq(organizations.id, organization_id));
  const isOn = organization?.sharing_enabled === true;
  const mayOpen = await findOwn(deps.db, caller, rows);
  const presentCover = (row: MediaRow): Share['cover'] => ({
    id: row.id,
    type: row.type,
    url: createMediaLink(deps, row.id).url,
    width: row.width,
    height: row.height,
    derivatives: derivatives.get(row.id) ?? null,
  });
  const answerCount = await countAnswers(
    deps.db,
    rows.map(({ id }) => id),
  );
  const now = deps.clock.now();
  return rows.map((row) => {
    const [medium] = (row.media_ids ?? []).flatMap((id) => media.get(id) ?? []);
    const group = row.collection_id === null ? undefined : groupOf.get(row.collection_id);
    const answers = answerCount.get(row.id) ?? new Map<string, number>();
    const replaced = new Set(row.versions.map(({ replaces }) => replaces));
    const { is_chosen: _is_chosen, ...group_cover } = group?.cover ?? { is_chosen: false, id: null };
    return {
      object: 'share',
      id: row.id,
      status: statusOf(row, { exists: medium !== undefined || group !== undefined, is_on: isOn, now }),
      url: mayOpen.has(row.id) ? shareUrl(deps, row) : null,
      media_id: row.media_ids?.length === 1 ? (row.media_ids[0] ?? null) : null,
      media_ids: row.media_ids,
      collection_id: row.collection_id,
      versions: row.versions,
      name: group?.name ?? (medium ? mediaName(medium) : null),
      cover: medium ? presentCover(medium) : group_cover.id === null ? null : group_cover,
      title: row.title,
      show_prompts: row.shows_prompts,
      allow_downloads: row.allows_downloads,
      show_organization: row.shows_organization,
      asks_for: row.asks_for,
      has_code: row.code_hash !== null,
      answer_count: [...answers.values()].reduce((sum, count) => sum + count, 0),
      file_count: row.media_ids ? row.media_ids.length - replaced.size : (group?.media_count ?? 0),
      answered_count: [...answers.keys()].filter((id) => !replaced.has(id)).length,
      expires_at: row.expires_at?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
      created_by: creatorOf(row.created_by),
      revoked_at: row.revoked_at?.toISOString() ?? null,
      view_count: row.view_count,
      last_viewed_at: row.last_viewed_at?.toISOString() ?? null,
    };
  });
}

/** The first medium of each share that still exists; further ones are read only where the first is gone. */
async function findCovers(
  deps: Deps,
  caller: Caller,
  rows: readonly ShareRow[],
): Promise<ReadonlyMap<string, MediaRow>> {
  const find = async (ids: readonly string[]) =>
    findMediaRows(deps.db, caller.organization_id, [...(await findVisible(deps, caller, ids))]);
  const first = await find(rows.flatMap(({ media_ids }) => media_ids?.slice(0, 1) ?? []));
  const others = rows.flatMap(({ media_ids }) => (first.has(media_ids?.[0] ?? '') ? [] : (media_ids?.slice(1) ?? [])));
  return others.length === 0 ? first : new Map([...first, ...(await find(others))]);
}

function statusOf(
  { revoked_at, expires_at }: ShareRow,
  { exists, is_on, now }: { exists: boolean; is_on: boolean; now: Date },
): Share['status'] {
  if (revoked_at) return 'revoked';
  if (expires_at && expires_at <= now) return 'expired';
  if (!exists) return 'gone';
  return is_on ? 'active' : 'off';
}

function shareUrl({ config, secrets }: Deps, { id, token_encrypted }: ShareRow) {
  const token = secrets.decrypt('share-token', id, token_encrypted);
  return token === null ? null : `${config.publicUrl}${SHARE_PATH}${token}`;
}

/** The ids of shares whose links a caller may have: their own; for administrators, all. */
async function findOwn(db: Db, caller: Caller, rows: readonly ShareRow[]) {
  if (caller.permissions.has('settings.manage')) return new Set(rows.map(({ id }) => id));
  if (!caller.permissions.has('work.create')) return new Set<string>();
  const keys = new Set([caller.key_id]);
  if (caller.person) {
    const own = await db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.person_id, caller.person.id));
    for (const { id } of own) keys.add(id);
  }
  return new Set(rows.filter(({ created_by }) => keys.has(created_by)).map(({ id }) => id));
}
