import { and, eq, inArray } from 'drizzle-orm';
import type { BodyOf } from '#contract/endpoints.ts';
import type { MediaDeletion } from '#contract/resources/media.ts';
import { type AuditActor, recordAuditEvent } from '#server/audit/record-audit-event.ts';
import type { Tx } from '#server/db/db.ts';
import { assets } from '#server/db/schema.ts';
import type { Deps } from '#server/deps.ts';
import { deleteUnreferencedFiles } from '#server/assets/orphans.ts';
import { findAwaitedMedia } from '#server/assets/awaited-media.ts';
import { lockMedia, removeUploads } from '#server/assets/lock-media.ts';
import { LISTED_ASSETS } from './media-rows.ts';
import { type MediaUses, findMediaUses } from '#server/assets/media-uses.ts';

/** Bounds the size of an event of the audit log. */
const MAX_RECORDED_IDS = 100;

/** Media that an active generation or an order that waits for an approval uses are kept and listed; generations keep their records and costs. */
export async function deleteMedia(
  deps: Pick<Deps, 'db' | 'clock' | 'storage' | 'log'>,
  actor: AuditActor,
  { ids, dry_run }: BodyOf<'delete_media'>,
  visible_ids: ReadonlySet<string>,
): Promise<MediaDeletion> {
  const { organization_id } = actor;
  const requested_ids = [...new Set(ids)];
  const { deletable, uses } = await deps.db.transaction(async (tx) => {
    const locked = await lockListedMedia(
      tx,
      organization_id,
      requested_ids.filter((id) => visible_ids.has(id)),
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
      await markRemoved(tx, unused, now);
      const before = { count: unused.length, ids: unused.slice(0, MAX_RECORDED_IDS).map(({ id }) => id) };
      const target = { type: 'media', id: unused.length === 1 ? (unused[0]?.id ?? null) : null };
      await recordAuditEvent(tx, actor, { action: 'media.deleted', target, before }, now);
    }
    return { deletable: unused, uses: counts };
  });
  if (!dry_run)
    await deleteUnreferencedFiles(
      deps,
      deletable.map(({ storage_key }) => storage_key),
    );
  const deleted = new Set(deletable.map(({ id }) => id));
  return {
    object: 'media_deletion',
    dry_run,
    deleted: requested_ids
      .filter((id) => deleted.has(id))
      .map((id) => ({ id, used_by_count: uses.get(id)?.count ?? 0 })),
    kept: requested_ids.filter((id) => !deleted.has(id)).map((id) => presentKept(id, uses.get(id))),
    size_bytes: deletable.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
  };
}

/** Skips outputs held for a review, which are not in the library yet. */
async function lockListedMedia(tx: Tx, organization_id: string, ids: readonly string[]) {
  const locked = await lockMedia(tx, organization_id, ids, 'update');
  const asset_ids = locked.map(({ id }) => id).filter((id) => id.startsWith('ast_'));
  if (asset_ids.length === 0) return locked;
  const listed = await tx
    .select({ id: assets.id })
    .from(assets)
    .where(and(eq(assets.organization_id, organization_id), inArray(assets.id, asset_ids), LISTED_ASSETS));
  const listed_ids = new Set(listed.map(({ id }) => id));
  return locked.filter(({ id }) => !id.startsWith('ast_') || listed_ids.has(id));
}

async function markRemoved(tx: Tx, media: readonly { id: string }[], now: Date): Promise<void> {
  const asset_ids = media.map(({ id }) => id).filter((id) => id.startsWith('ast_'));
  if (asset_ids.length > 0) await tx.update(assets).set({ removed_at: now }).where(inArray(assets.id, asset_ids));
  await removeUploads(
    tx,
    media.filter(({ id }) => id.startsWith('upl_')),
    now,
  );
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
  const { active_count, active_ids } = uses;
  if (active_count === 0)
    return { id, reason: 'in_use', message: 'In use by an order that waits for an approval.', generation_ids: [] };
  const message =
    active_count === 1 ? 'In use by an active generation.' : `In use by ${active_count} active generations.`;
  return { id, reason: 'in_use', message, generation_ids: active_ids };
}
