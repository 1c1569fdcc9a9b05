import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Upload } from '#contract/resources/upload.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { uploads } from '../db/schema.ts';
import { ApiError } from '../http/api-error.ts';
import { MediaError } from '../media/media-error.ts';
import { probeFile, type MediaInfo } from '../media/probe.ts';
import { newId } from '../new-id.ts';
import { unavailable } from '../storage/storage.ts';
import { presentUpload } from './present-upload.ts';
import { receiveFile } from './receive-file.ts';
import { uploadFolder } from './upload-folder.ts';

export type UploadDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'secrets' | 'storage' | 'media' | 'log'>;

/**
 * Takes in a file: received under a name of ours, found out what it really is, stored, and only then named in a row.
 * Spec: Endpoints (POST /v1/uploads)
 * @throws {ApiError} 400 `invalid_media_upload`, 408, 413 @throws {StorageError}
 */
export async function createUpload(
  deps: UploadDeps,
  caller: Caller,
  incoming: IncomingMessage,
  signal: AbortSignal,
): Promise<Upload> {
  const folder = uploadFolder(deps.config);
  await mkdir(folder, { recursive: true }).catch(unavailable);
  const file = join(folder, randomUUID());
  try {
    const { filename } = await receiveFile(incoming, file, deps.config);
    const media = await judge(deps, file, signal);
    return await store(deps, caller, { file, filename, media });
  } finally {
    await rm(file, { force: true });
  }
}

async function judge({ media }: UploadDeps, file: string, signal: AbortSignal): Promise<MediaInfo> {
  try {
    return await probeFile(media, file, { signal });
  } catch (error) {
    if (error instanceof MediaError) throw new ApiError('invalid_media_upload', error.message, { cause: error });
    throw error;
  }
}

async function store(
  deps: UploadDeps,
  caller: Caller,
  { file, filename, media }: { file: string; filename: string | null; media: MediaInfo },
): Promise<Upload> {
  const now = deps.clock.now();
  const id = newId('upl', now);
  const storage_key = `uploads/${id}.${media.extension}`;
  const stored = await deps.storage.put(storage_key, { file });
  try {
    const [row] = await deps.db
      .insert(uploads)
      .values({
        id,
        organization_id: caller.organization_id,
        created_by: caller.key_id,
        type: media.kind,
        mime_type: media.mime_type,
        filename,
        storage_key,
        ...stored,
        width: media.width,
        height: media.height,
        duration_seconds: media.duration_seconds,
        created_at: now,
      })
      .returning();
    if (!row) throw new Error('An inserted upload has no row.');
    return presentUpload(deps, row);
  } catch (error) {
    await deps.storage
      .delete(storage_key)
      .catch((cause: unknown) => deps.log.warn({ err: cause, storage_key }, 'orphan'));
    throw error;
  }
}
