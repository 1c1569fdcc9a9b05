import { lt } from 'drizzle-orm';
import type { MediaArchive } from '#contract/resources/media.ts';
import { MEDIA_PATH } from '#contract/reference-url.ts';
import { mediaArchives } from '#server/db/library-schema.ts';
import type { Deps } from '#server/deps.ts';
import { ApiError } from '#server/core/api-error.ts';
import { createId } from '#server/core/create-id.ts';
import { findMediaRows } from '../find-media-rows.ts';

export const ARCHIVE_PATH = `${MEDIA_PATH}archives/`;
const ARCHIVE_TTL_MS = 15 * 60 * 1000;

/**
 * Creates a link to a ZIP of media, which is packed during the download. The link needs no key, expires after 15 minutes
 * and allows a few downloads.
 * @throws {ApiError} 404 `not_found` if none of the media exists
 */
export async function createArchive(
  { config, clock, db, secrets }: Pick<Deps, 'config' | 'clock' | 'db' | 'secrets'>,
  organization_id: string,
  ids: readonly string[],
): Promise<MediaArchive> {
  const requested_ids = [...new Set(ids)];
  const rows = await findMediaRows(db, organization_id, requested_ids);
  if (rows.size === 0) throw new ApiError('not_found', 'None of these files exists any more.');
  const now = clock.now();
  const expires_at = new Date(Math.ceil((now.getTime() + ARCHIVE_TTL_MS) / 1000) * 1000);
  const id = createId('arc', now);
  const filename = `Emulsion ${now.toISOString().slice(0, 10)}.zip`;
  const media_ids = requested_ids.filter((media_id) => rows.has(media_id));
  await db.delete(mediaArchives).where(lt(mediaArchives.expires_at, now));
  await db.insert(mediaArchives).values({ id, organization_id, filename, media_ids, created_at: now, expires_at });
  const expires = String(expires_at.getTime() / 1000);
  const sig = secrets.sign('archive-link', archiveLinkText(id, expires));
  return {
    object: 'media_archive',
    id,
    url: `${config.public_url}${ARCHIVE_PATH}${id}?expires=${expires}&sig=${sig}`,
    expires_at: expires_at.toISOString(),
    filename,
    count: media_ids.length,
    size_bytes: [...rows.values()].reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    missing_ids: requested_ids.filter((media_id) => !rows.has(media_id)),
  };
}

export const archiveLinkText = (id: string, expires: string) => `${id}.${expires}`;
