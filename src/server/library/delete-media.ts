import { and, eq, inArray } from 'drizzle-orm';
import type { BodyOf } from '#contract/endpoints.ts';
import type { MediaDeletion } from '#contract/resources/media.ts';
import type { Tx } from '#server/db/db.ts';
import { assets } from '#server/db/schema.ts';
import type { Deps } from '#server/deps.ts';
import { deleteUnreferencedFiles } from '#server/assets/delete-unreferenced-files.ts';
import { removeUploads } from '#server/assets/remove-uploads.ts';
import { lockMedia } from '#server/assets/lock-media.ts';
import { LISTED_ASSETS } from './media-rows.ts';
import { type MediaUses, findMediaUses } from '#server/assets/media-uses.ts';

/**
 * Deletes media: they are gone for everybody at once. Generations keep their record and what they cost. What a queued or
 * running generation needs is kept, and so is told.
 */
export async function deleteMedia(
  deps: Pick<Deps, 'db' | 'clock' | 'storage' | 'log'>,
  organization_id: string,
  { ids, dry_run }: BodyOf<'delete_media'>,
): Promise<MediaDeletion> {
  const asked = [...new Set(ids)];
  const { locked, uses } = await deps.db.transaction(async (tx) => {
    const there = await lockListedMedia(tx, organization_id, asked);
    const used = await findMediaUses(
      tx,
      organization_id,
      there.map(({ id }) => id),
    );
    const free = there.filter(({ id }) => used.get(id)?.active_count === 0);
    if (!dry_run) await markRemoved(tx, free, deps.clock.now());
    return { locked: free, uses: used };
  });
  if (!dry_run)
    await deleteUnreferencedFiles(
      deps,
      locked.map(({ storage_key }) => storage_key),
    );
  const deleted = new Set(locked.map(({ id }) => id));
  return {
    object: 'media_deletion',
    dry_run,
    deleted: asked.filter((id) => deleted.has(id)).map((id) => ({ id, used_by_count: uses.get(id)?.count ?? 0 })),
    kept: asked.filter((id) => !deleted.has(id)).map((id) => presentKept(id, uses.get(id))),
    size_bytes: locked.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
  };
}

/** What waits for a person to judge it is in no library yet. */
async function lockListedMedia(tx: Tx, organization_id: string, ids: readonly string[]) {
  const locked = await lockMedia(tx, organization_id, ids, 'update');
  const of_assets = locked.map(({ id }) => id).filter((id) => id.startsWith('ast_'));
  if (of_assets.length === 0) return locked;
  const listed = await tx
    .select({ id: assets.id })
    .from(assets)
    .where(and(eq(assets.organization_id, organization_id), inArray(assets.id, of_assets), LISTED_ASSETS));
  const seen = new Set(listed.map(({ id }) => id));
  return locked.filter(({ id }) => !id.startsWith('ast_') || seen.has(id));
}

async function markRemoved(tx: Tx, media: readonly { id: string }[], now: Date): Promise<void> {
  const of_assets = media.map(({ id }) => id).filter((id) => id.startsWith('ast_'));
  if (of_assets.length > 0) await tx.update(assets).set({ removed_at: now }).where(inArray(assets.id, of_assets));
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
      message: 'There is no such file, or it was deleted already.',
      generation_ids: [],
    };
  }
  const { active_count, active_ids } = uses;
  const message =
    active_count === 1
      ? 'A generation that has not ended yet needs it.'
      : `${active_count} generations that have not ended yet need it.`;
  return { id, reason: 'in_use', message, generation_ids: active_ids };
}
