import type { Upload } from '#contract/resources/upload.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { uploads } from '#server/platform/db/schema/schema.ts';
import { readDerivatives } from '#server/studio/assets/derivatives/read-derivatives.ts';
import { createMediaLink } from '#server/studio/assets/media-links.ts';
import { mediaExpiresAt } from '#server/studio/assets/retention.ts';

export type UploadRow = typeof uploads.$inferSelect;

/** Decision: Uploads */
export async function presentUploads(deps: Deps, rows: readonly UploadRow[]): Promise<Upload[]> {
  const derivatives = await readDerivatives(
    deps,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    object: 'upload',
    type: row.type,
    ...createMediaLink(deps, row.id),
    mime_type: row.mime_type,
    filename: row.filename,
    size_bytes: row.size_bytes,
    width: row.width,
    height: row.height,
    duration_seconds: row.duration_seconds,
    sha256: row.sha256,
    created_at: row.created_at.toISOString(),
    kept_until: mediaExpiresAt(deps.config, row.created_at),
    derivatives: derivatives.get(row.id) ?? null,
  }));
}

export async function presentUpload(deps: Deps, row: UploadRow): Promise<Upload> {
  const [upload] = await presentUploads(deps, [row]);
  if (!upload) throw new Error('An upload was not presented.');
  return upload;
}
