import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { resumableUploads } from '#server/db/upload-schema.ts';
import type { Deps } from '#server/deps.ts';
import { ApiError } from '#server/core/api-error.ts';
import { throwUnavailable } from '#server/storage/storage.ts';
import { hashFile } from '../hash-file.ts';
import { probeUpload } from '../probe-upload.ts';
import type { OpenUploads } from '../open-uploads.ts';
import { displayFileName } from '../receive-file.ts';
import { storeUpload } from '../store-upload.ts';
import { type ResumableUploadRow, resumableFolder } from './find-resumable.ts';
import type { ResumableLock } from './lock-resumable.ts';

export type FinishResumableDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'storage' | 'media' | 'log' | 'queue'> & {
  open_uploads: OpenUploads;
};

/**
 * Probes and stores the file and inserts its row, once. @returns the upload's id
 * @throws {ApiError} 400 `invalid_media_upload`, 401: the upload is discarded; {StorageError}: it can be retried
 */
export async function finishResumable(
  deps: FinishResumableDeps,
  row: ResumableUploadRow,
  { owner }: ResumableLock,
): Promise<string> {
  const file = join(resumableFolder(deps.config), row.id);
  const media = await probeUpload(deps, file, { owner: row.created_by }).catch(async (error: unknown) => {
    if (error instanceof ApiError && error.code === 'invalid_media_upload') await deleteResumable(deps, row.id);
    throw error;
  });
  const filename = displayFileName(row.metadata?.['filename'] ?? row.metadata?.['name'] ?? null);
  const received = { file, filename, media, sha256: await hashFile(file).catch(throwUnavailable) };
  const owned_by = { organization_id: row.organization_id, key_id: row.created_by };
  const upload = await storeUpload(deps, owned_by, received, async (tx, { id }) => {
    const is_locked = and(eq(resumableUploads.id, row.id), eq(resumableUploads.lock_owner, owner));
    const [updated] = await tx.update(resumableUploads).set({ upload_id: id }).where(is_locked).returning();
    if (!updated) throw new ApiError('service_unavailable', 'The upload was interrupted. Try again in a moment.');
  }).catch(async (error: unknown) => {
    // An upload of a revoked key can never be continued.
    if (error instanceof ApiError && error.code === 'authentication_error') await deleteResumable(deps, row.id);
    throw error;
  });
  await rm(file, { force: true });
  return upload.id;
}

/** The upload that it became stays. */
export async function deleteResumable({ config, db }: Pick<Deps, 'config' | 'db'>, id: string): Promise<void> {
  await db.delete(resumableUploads).where(eq(resumableUploads.id, id));
  await rm(join(resumableFolder(config), id), { force: true });
}
