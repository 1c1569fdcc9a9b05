import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Upload } from '#contract/resources/upload.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';
import { probeUpload } from './probe-upload.ts';
import type { OpenUploads } from './open-uploads.ts';
import { presentUpload } from './present-upload.ts';
import { receiveFile } from './receive-file.ts';
import { storeUpload } from './store-upload.ts';
import { uploadFolder, assertUploadSpace, watchUploadSpace } from './upload-folder.ts';

export type UploadDeps = Deps & { openUploads: OpenUploads };

type ReceiveFile = (
  file: string,
  checkSpace: (bytes: number) => Promise<void>,
) => Promise<{ filename: string | null; sha256: string }>;

/** Spec: Endpoints @throws {ApiError} 400 `invalid_media_upload`, 408, 413, 429, 503 @throws {StorageError} */
export function createUpload(
  deps: UploadDeps,
  caller: Caller,
  incoming: IncomingMessage,
  signal: AbortSignal,
): Promise<Upload> {
  const declared = incoming.headers['content-length'];
  const bytes = declared === undefined ? null : Number(declared);
  const receive: ReceiveFile = (file, checkSpace) => receiveFile(incoming, file, deps.config, checkSpace);
  return storeReceived(deps, caller, { bytes, receive, signal });
}

/**
 * Stores what `receive` writes to a new file.
 * @param source.bytes declared length; null if unknown
 * @param source.id `upl_…` that nothing has; by default, a new one
 * @throws {ApiError} as `createUpload` @throws {StorageError}
 */
export const storeReceived = (
  deps: UploadDeps,
  caller: Caller,
  { bytes, receive, signal, id }: { bytes: number | null; receive: ReceiveFile; signal: AbortSignal; id?: string },
): Promise<Upload> =>
  deps.openUploads.receive(caller, bytes, async () => {
    const folder = uploadFolder(deps.config);
    await mkdir(folder, { recursive: true }).catch(throwUnavailable);
    // An oversized form is rejected for its size, not for the lack of space.
    const isAcceptable = bytes !== null && bytes <= deps.config.maxUploadBytes;
    await assertUploadSpace(deps, folder, isAcceptable ? bytes : 0);
    const file = join(folder, randomUUID());
    try {
      const { filename, sha256 } = await receive(file, watchUploadSpace(deps, folder));
      const media = await probeUpload(deps, file, { owner: caller.key_id, signal });
      return await presentUpload(deps, await storeUpload(deps, caller, { id, file, filename, sha256, media }));
    } finally {
      await rm(file, { force: true });
    }
  });
