import type { Upload } from '#contract/resources/upload.ts';
import type { Deps } from '../deps.ts';
import type { uploads } from '../db/schema.ts';
import { mediaUrl } from '../media-links.ts';

/** An upload as it goes over the wire, with a fresh link. Decision: Responses (Upload) */
export const presentUpload = (
  deps: Pick<Deps, 'config' | 'clock' | 'secrets'>,
  row: typeof uploads.$inferSelect,
): Upload => ({
  id: row.id,
  object: 'upload',
  type: row.type,
  ...mediaUrl(deps, row.id),
  mime_type: row.mime_type,
  filename: row.filename,
  size_bytes: row.size_bytes,
  width: row.width,
  height: row.height,
  duration_seconds: row.duration_seconds,
  sha256: row.sha256,
  created_at: row.created_at.toISOString(),
});
