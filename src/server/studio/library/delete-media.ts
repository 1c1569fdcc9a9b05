import { type SQL, and, inArray, isNotNull } from 'drizzle-orm';
import type { BodyOf } from '#contract/api/endpoints.ts';
import type { MediaDeletion, MediaRestoration } from '#contract/resources/media.ts';
import { type AuditActor, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { deleteUnreferencedFiles } from '#server/studio/assets/orphans.ts';
import { findAwaitedMedia } from '#server/studio/assets/awaited-media.ts';
import { lockMedia, removeMedia } from '#server/studio/assets/lock-media.ts';
import { type MediaUses, findMediaUses } from '#server/studio/assets/media-uses.ts';

/** Bounds the size of an event of the audit log. */
export const MAX_RECORDED_IDS = 100;

/**
 * Deletes media, or moves them to the trash. Those that an active generation or an order that waits for an approval uses
 * are kept and listed; generations keep their records and costs. Decision: Trash
 */
export async function deleteMedia(
  deps: Deps,
  actor: AuditActor,
  { ids, dry_run, to_trash }: BodyOf<'delete_media'>,
  visibleIds: ReadonlySet<string>,
): Promise<MediaDeletion> {
  const { organization_id } = actor;
  const requestedIds = [...new Set(ids)];
  const { deletable, uses } = await deps.db.transaction(async (tx) => {
    const locked = await lockListedMedia(
      tx,
      organization_id,
      requestedIds.filter((id) => visibleIds.has(id)),
      { in_trash: !to_trash },
    );
    const counts = await findMediaUses(
      tx,
      organization_id,
      locked.map(({ id }) => id),
    );
    const awaited = await findAwaitedMedia(
      tx,
      organization_id,
      locked.map(({ id }) => id),
    );
    const unused = locked.filter(({ id }) => counts.get(id)?.active_count === 0 && !awaited.has(id));
    if (!dry_run && unused.length > 0) {
      const now = deps.clock.now();
      if (to_trash) await moveToTrash(tx, unused, now);
      else await removeMedia(tx, unused, now);
      const action = to_trash ? 'media.trashed' : 'media.deleted';
      await recordMediaChange(tx, actor, action, unused, now);
    }
    return { deletable: unused, uses: counts };
  });
  if (!dry_run && !to_trash)
    await deleteUnreferencedFiles(
      deps,
      deletable.map(({ storage_key }) => storage_key),
    );
  const deleted = new Set(deletable.map(({ id }) => id));
  return {
    object: 'media_deletion',
    dry_run,
    deleted: requestedIds
      .filter((id) => deleted.has(id))
      .map((id) => ({ id, used_by_count: uses.get(id)?.count ?? 0 })),
    kept: requestedIds.filter((id) => !deleted.has(id)).map((id) => presentKept(id, uses.get(id))),
    size_bytes: deletable.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
  };
}

/**
 * Restores media from the trash. Decision: Trash
 * @param visibleIds see `findVisible`
 */
export async function restoreMedia(
  { db, clock }: Deps,
  actor: AuditActor,
  ids: readonly string[],
  visibleIds: ReadonlySet<string>,
): Promise<MediaRestoration> {
  const requestedIds = [...new Set(ids)];
  const visible = requestedIds.filter((id) => visibleIds.has(id));
  const restored = await db.transaction(async (tx) => {
    const locked = await lockMedia(tx, actor.organization_id, visible, 'update', { in_trash: true });
    const trashed = await setTrashed(tx, locked, null, ({ trashed_at }) => isNotNull(trashed_at));
    if (trashed.length > 0) await recordMediaChange(tx, actor, 'media.restored', trashed, clock.now());
    return new Set(trashed.map(({ id }) => id));
  });
  return {
    object: 'media_restoration',
    restored_ids: requestedIds.filter((id) => restored.has(id)),
    missing_ids: requestedIds.filter((id) => !restored.has(id)),
  };
}

type MediaTable = typeof assets | typeof uploads;

/** @returns the media that matched `where` */
async function setTrashed(
  tx: Tx,
  media: readonly { id: string }[],
  at: Date | null,
  where: (table: MediaTable) => SQL | undefined,
): Promise<{ id: string }[]> {
  const update = async (table: MediaTable, prefix: string) => {
    const ids = media.map(({ id }) => id).filter((id) => id.startsWith(prefix));
    if (ids.length === 0) return [];
    return tx
      .update(table)
      .set({ removed_at: at, trashed_at: at })
      .where(and(inArray(table.id, ids), where(table)))
      .returning({ id: table.id });
  };
  return [...(await update(assets, 'ast_')), ...(await update(uploads, 'upl_'))];
}

const moveToTrash = (tx: Tx, media: readonly { id: string }[], now: Date) =>
  setTrashed(tx, media, now, () => undefined);

async function recordMediaChange(
  tx: Tx,
  actor: AuditActor,
  action: 'media.deleted' | 'media.trashed' | 'media.restored',
  media: readonly { id: string }[],
  now: Date,
): Promise<void> {
  const before = { count: media.length, ids: media.slice(0, MAX_RECORDED_IDS).map(({ id }) => id) };
  const target = { type: 'media', id: media.length === 1 ? (media[0]?.id ?? null) : null };
  await recordAuditEvent(tx, actor, { action, target, before }, now);
}

/** Skips outputs held for a review, which are not in the library yet. */
async function lockListedMedia(tx: Tx, organizationId: string, ids: readonly string[], place: { in_trash: boolean }) {
  const locked = await lockMedia(tx, organizationId, ids, 'update', place);
  const assetIds = locked.map(({ id }) => id).filter((id) => id.startsWith('ast_'));
  if (assetIds.length === 0) return locked;
  const held = await tx
    .select({ id: assets.id })
    .from(assets)
    .where(and(inArray(assets.id, assetIds), assets.held));
  const heldIds = new Set(held.map(({ id }) => id));
  return locked.filter(({ id }) => !heldIds.has(id));
}

function presentKept(id: string, uses: MediaUses | undefined): MediaDeletion['kept'][number] {
  if (!uses) {
    return {
      id,
      reason: 'not_found',
      message: 'This file does not exist or was already deleted.',
      generation_ids: [],
    };
  }
  const { active_count, activeIds } = uses;
  if (active_count === 0)
    return { id, reason: 'in_use', message: 'In use by an order that waits for an approval.', generation_ids: [] };
  const message =
    active_count === 1 ? 'In use by an active generation.' : `In use by ${active_count} active generations.`;
  return { id, reason: 'in_use', message, generation_ids: activeIds };
}
