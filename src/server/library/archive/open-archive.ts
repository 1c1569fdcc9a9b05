import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { mediaArchives } from '#server/db/library-schema.ts';
import type { Deps } from '#server/deps.ts';
import { findMediaRows } from '../find-media-rows.ts';
import { createArchiveNames } from './archive-names.ts';
import { archiveLinkText } from './create-archive.ts';
import type { ArchiveFile } from './pack-archive.ts';

const MAX_DOWNLOADS = 5;

interface ArchiveDownload {
  filename: string;
  files: ArchiveFile[];
}

/**
 * The files of an archive link, without media that were deleted since.
 * @param starts whether a download starts now, which counts towards the limit
 * @returns null if the link is invalid, expired or used up
 */
export async function openArchive(
  { clock, db, secrets }: Pick<Deps, 'clock' | 'db' | 'secrets'>,
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
  const rows_by_id = await findMediaRows(db, archive.organization_id, archive.media_ids);
  const rows = archive.media_ids.flatMap((media_id) => rows_by_id.get(media_id) ?? []);
  const names = createArchiveNames(rows);
  const files = rows.map(({ storage_key, size_bytes, created_at }, index) => {
    return { name: names[index] ?? storage_key, storage_key, size_bytes, created_at };
  });
  return files.length === 0 ? null : { filename: archive.filename, files };
}
