import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { MEDIA_PATH } from '#contract/reference-url.ts';
import type { MediaArchive } from '#contract/resources/media.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { mediaArchives } from '#server/platform/db/schema/library-schema.ts';
import { deleteInBatches } from '#server/platform/db/delete-batches.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type AuditActor, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { findSidecarBytes } from '#server/studio/assets/sidecars.ts';
import { MAX_RECORDED_IDS } from '#server/studio/library/delete-media.ts';
import { findMediaRows } from '#server/studio/library/media-rows.ts';
import { createArchiveNames, sidecarName } from './archive-names.ts';
import type { PackedArchive } from './pack-archive.ts';

export const ARCHIVE_PATH = `${MEDIA_PATH}archives/`;
const ARCHIVE_TTL_MS = 15 * 60 * 1000;

/**
 * The link needs no key, expires after 15 minutes and allows a few downloads.
 * @param is_bare whether the files lose their content credentials, which is audited
 * @throws {ApiError} 404 `not_found` if none of the media exists
 */
export async function createArchive(
  { config, clock, db, secrets }: Deps,
  actor: AuditActor,
  ids: readonly string[],
  visibleIds: ReadonlySet<string>,
  { is_bare = false } = {},
): Promise<MediaArchive> {
  const { organization_id } = actor;
  const requestedIds = [...new Set(ids)];
  const rows = await findMediaRows(
    db,
    organization_id,
    requestedIds.filter((id) => visibleIds.has(id)),
  );
  if (rows.size === 0) throw new ApiError('not_found', 'None of these files exists any more.');
  const now = clock.now();
  const expiresAt = new Date(Math.ceil((now.getTime() + ARCHIVE_TTL_MS) / 1000) * 1000);
  const id = createId('arc', now);
  const filename = `Emulsion ${now.toISOString().slice(0, 10)}.zip`;
  const mediaIds = requestedIds.filter((media_id) => rows.has(media_id));
  await db.transaction(async (tx) => {
    const row = { id, organization_id, filename, media_ids: mediaIds, is_bare, created_at: now, expires_at: expiresAt };
    await tx.insert(mediaArchives).values(row);
    if (!is_bare) return;
    const target = { type: 'media', id: mediaIds.length === 1 ? (mediaIds[0] ?? null) : null };
    const after = { count: mediaIds.length, ids: mediaIds.slice(0, MAX_RECORDED_IDS) };
    await recordAuditEvent(tx, actor, { action: 'media.exported_without_credentials', target, after }, now);
  });
  const expires = String(expiresAt.getTime() / 1000);
  const sig = secrets.sign('archive-link', archiveLinkText(id, expires));
  return {
    object: 'media_archive',
    id,
    url: `${config.publicUrl}${ARCHIVE_PATH}${id}?expires=${expires}&sig=${sig}`,
    expires_at: expiresAt.toISOString(),
    filename,
    count: mediaIds.length,
    size_bytes: [...rows.values()].reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    missing_ids: requestedIds.filter((media_id) => !rows.has(media_id)),
  };
}

const archiveLinkText = (id: string, expires: string) => `${id}.${expires}`;

const MAX_DOWNLOADS = 5;

interface ArchiveDownload extends PackedArchive {
  filename: string;
}

/**
 * @param starts whether a download starts now, which counts towards the limit
 * @returns null if the link is invalid, expired or used up
 */
export async function openArchive(
  { clock, db, secrets }: Deps,
  { id, expires, sig }: { id: string; expires: string; sig: string },
  starts: boolean,
): Promise<ArchiveDownload | null> {
  if (!secrets.verify('archive-link', archiveLinkText(id, expires), sig)) return null;
  const [archive] = await db
    .update(mediaArchives)
    .set({ starts: sql`${mediaArchives.starts} + ${starts ? 1 : 0}` })
    .where(
      and(eq(mediaArchives.id, id), gt(mediaArchives.expires_at, clock.now()), lt(mediaArchives.starts, MAX_DOWNLOADS)),
    )
    .returning();
  if (!archive) return null;
  const rowsById = await findMediaRows(db, archive.organization_id, archive.media_ids);
  const rows = archive.media_ids.flatMap((media_id) => rowsById.get(media_id) ?? []);
  const sidecarBytes = archive.is_bare ? new Map<string, number>() : await findSidecarBytes(db, archive.media_ids);
  const names = createArchiveNames(rows, sidecarBytes);
  const files = rows.map(({ id: media_id, storage_key, size_bytes, created_at }, index) => {
    const name = names[index] ?? storage_key;
    const bytes = sidecarBytes.get(media_id);
    const sidecar = bytes === undefined ? null : { name: sidecarName(name), asset_id: media_id, size_bytes: bytes };
    return { name, storage_key, size_bytes, created_at, sidecar };
  });
  return files.length === 0 ? null : { filename: archive.filename, is_bare: archive.is_bare, files };
}

/** Deletes lists of files whose link has expired. @returns their number */
export const purgeArchives = ({ db, clock }: Deps): Promise<number> =>
  deleteInBatches(db, mediaArchives, lt(mediaArchives.expires_at, clock.now()));
