import { and, eq, isNull } from 'drizzle-orm';
import type { UploadDetail } from '#contract/resources/upload.ts';
import { uploads } from '#server/db/schema.ts';
import { findMediaUses } from '#server/assets/media-uses.ts';
import { type PresentUploadDeps, presentUpload } from './present-upload.ts';

/** An upload with its uses; null if the organization has none with this id. */
export async function findUpload(
  deps: PresentUploadDeps,
  organization_id: string,
  id: string,
): Promise<UploadDetail | null> {
  const is_own = and(eq(uploads.organization_id, organization_id), eq(uploads.id, id), isNull(uploads.removed_at));
  const [row] = await deps.db.select().from(uploads).where(is_own);
  if (!row) return null;
  const [upload, uses] = await Promise.all([presentUpload(deps, row), findMediaUses(deps.db, organization_id, [id])]);
  const { count = 0, active_count = 0, generation_ids = [] } = uses.get(id) ?? {};
  return { ...upload, used_by: { count, active_count, generation_ids } };
}
