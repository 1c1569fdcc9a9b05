import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { MEDIA_PATH } from '#contract/reference-url.ts';
import type { MediaArchive } from '#contract/resources/media.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { mediaArchives } from '#server/platform/db/library-schema.ts';
import { deleteInBatches } from '#server/platform/db/delete-batches.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findMediaRows } from '#server/studio/library/media-rows.ts';
import { createArchiveNames } from './archive-names.ts';
import type { ArchiveFile } from './pack-archive.ts';

export const ARCHIVE_PATH = `${MEDIA_PATH}archives/`;
const ARCHIVE_TTL_MS = 15 * 60 * 1000;

/**
 * The link needs no key, expires after 15 minutes and allows a few downloads.
 * @throws {ApiError} 404 `not_found` if none of the media exists
 */
export async function createArchive(
  { config, clock, db, secrets }: Deps,
  organization_id: string,
  ids: readonly string[],
  visibleIds: ReadonlySet<string>,
): Promise<MediaArchive> {
  const requestedIds = [...new Set(ids)];
  const rows = await findMediaRows(
    db,
    organization_id,
    requestedIds.filter((id) => visibleIds.has(id)),
  );
  if (rows.size === 0) throw new ApiError('not_found', 'None of these files exists any more.');
  const now = clock.now();
  const expires_at = new Date(Math.ceil((now.getTime() + ARCHIVE_TTL_MS) / 1000) * 1000);
  const id = createId('arc', now);
  const filename = `Emulsion ${now.toISOString().slice(0, 10)}.zip`;
  const media_ids = requestedIds.filter((media_id) => rows.has(media_id));
  await db.insert(mediaArchives).values({ id, organization_id, filename, media_ids, created_at: now, expires_at });
  const expires = String(expires_at.getTime() / 1000);
  const sig = secrets.sign('archive-link', archiveLinkText(id, expires));
  return {
    object: 'media_archive',
    id,
    url: `${config.publicUrl}${ARCHIVE_PATH}${id}?expires=${expires}&sig=${sig}`,
    expires_at: expires_at.toISOString(),
    filename,
    count: media_ids.length,
    size_bytes: [...rows.values()].reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    missing_ids: requestedIds.filter((media_id) => !rows.has(media_id)),
  };
}

const archiveLinkText = (id: string, expires: string) => `${id}.${expires}`;

const MAX_DOWNLOADS = 5;

interface ArchiveDownload {
  filename: string;
  files: ArchiveFile[];
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
  const names = createArchiveNames(rows);
  const files = rows.map(({ storage_key, size_bytes, created_at }, index) => {
    return { name: names[index] ?? storage_key, storage_key, size_bytes, created_at };
  });
  return files.length === 0 ? null : { filename: archive.filename, files };
}

/** Deletes lists of files whose link has expired. @returns their number */
export const purgeArchives = ({ db, clock }: Deps): Promise<number> =>
  deleteInBatches(db, mediaArchives, lt(mediaArchives.expires_at, clock.now()));
