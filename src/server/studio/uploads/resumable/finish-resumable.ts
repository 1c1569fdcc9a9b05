import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { resumableUploads } from '#server/platform/db/schema/upload-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { StorageError, throwUnavailable } from '#server/platform/storage/storage.ts';
import { hashFile } from '#server/studio/uploads/hash-file.ts';
import { probeUpload } from '#server/studio/uploads/probe-upload.ts';
import type { OpenUploads } from '#server/studio/uploads/open-uploads.ts';
import { displayFileName } from '#server/studio/uploads/receive-file.ts';
import { storeUpload } from '#server/studio/uploads/store-upload.ts';
import { assertUploadSpace, uploadFolder } from '#server/studio/uploads/upload-folder.ts';
import { deleteParts, joinParts } from './part-store.ts';
import { type ResumableUploadRow, resumableFolder } from './find-resumable.ts';
import { type ResumableLock, resumableNotFoundError } from './lock-resumable.ts';

export type FinishResumableDeps = Deps & { openUploads: OpenUploads };

/**
 * Probes and stores the file and inserts its row, once. @returns the upload's id
 * @throws {ApiError} 400 `invalid_media_upload`, 401: the upload is discarded; {StorageError}: it can be retried
 */
export async function finishResumable(
  deps: FinishResumableDeps,
  row: ResumableUploadRow,
  { owner }: ResumableLock,
): Promise<string> {
  if (deps.config.s3 === null) return finishFile(deps, row, join(resumableFolder(deps.config), row.id), owner);
  const file = join(uploadFolder(deps.config), randomUUID());
  try {
    await mkdir(uploadFolder(deps.config), { recursive: true }).catch(throwUnavailable);
    await assertUploadSpace(deps, uploadFolder(deps.config), row.length_bytes ?? 0);
    await joinParts(deps, row.id, file).catch(async (error: unknown) => {
      if (!(error instanceof StorageError) || error.code !== 'not_found') throw error;
      // Its parts are not in a backup.
      await deleteResumable(deps, row.id);
      throw resumableNotFoundError();
    });
    const uploadId = await finishFile(deps, row, file, owner);
    await deleteParts(deps, row.id);
    return uploadId;
  } finally {
    await rm(file, { force: true });
  }
}

async function finishFile(
  deps: FinishResumableDeps,
  row: ResumableUploadRow,
  file: string,
  owner: string,
): Promise<string> {
  const media = await probeUpload(deps, file, { owner: row.created_by }).catch(async (error: unknown) => {
    if (error instanceof ApiError && error.code === 'invalid_media_upload') await deleteResumable(deps, row.id);
    throw error;
  });
  const filename = displayFileName(row.metadata?.['filename'] ?? row.metadata?.['name'] ?? null);
  const received = { file, filename, media, sha256: await hashFile(file).catch(throwUnavailable) };
  const ownedBy = { organization_id: row.organization_id, key_id: row.created_by };
  const upload = await storeUpload(deps, ownedBy, received, async (tx, { id }) => {
    const isLocked = and(eq(resumableUploads.id, row.id), eq(resumableUploads.lock_owner, owner));
    const [updated] = await tx.update(resumableUploads).set({ upload_id: id }).where(isLocked).returning();
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
export async function deleteResumable(deps: Deps, id: string): Promise<void> {
  await deleteParts(deps, id);
  await deps.db.delete(resumableUploads).where(eq(resumableUploads.id, id));
  await rm(join(resumableFolder(deps.config), id), { force: true });
}
