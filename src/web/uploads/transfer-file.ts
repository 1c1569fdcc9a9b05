import type { Upload } from '#contract/resources/upload.ts';
import { UnreadableFileError, InvalidFileError } from './upload-queue.ts';
import { validateFile } from './validate-file.ts';
import { cachedUploadCapabilities, fetchUploadCapabilities } from './upload-capabilities.ts';
import { setTusUrl, getTusUrl } from './tus-urls.ts';
import { uploadInChunks } from './upload-in-chunks.ts';
import { uploadWholeFile, type TransferOptions } from './upload-whole-file.ts';
import type { UploadItem } from './upload-store.ts';

/** Larger ones go in parts, where the service takes parts: what has arrived of them need not be sent again. */
const SINGLE_REQUEST_MAX_BYTES = 8_388_608;

/** Why a file need not be sent at all, as far as that is known without asking. */
export const validateFileLocally = (file: File): string | null =>
  validateFile(file, cachedUploadCapabilities()?.max_bytes ?? null);

/**
 * Sends a file the way that suits it.
 * @throws {UnreadableFileError} @throws {InvalidFileError} @throws {ApiError} @throws {NetworkError} @throws {DOMException}
 */
export async function transferFile({ id }: UploadItem, file: File, tools: TransferOptions): Promise<Upload> {
  const { max_bytes, resumable_path: path } = await fetchUploadCapabilities();
  const refusal = validateFile(file, max_bytes);
  if (refusal !== null) throw new InvalidFileError(refusal);
  await assertReadable(file);
  tools.signal.throwIfAborted();
  if (path === null || file.size <= SINGLE_REQUEST_MAX_BYTES) return uploadWholeFile(file, tools);
  const resource = getTusUrl(id);
  return uploadInChunks(file, { ...tools, path, resource, onResource: (begun) => setTusUrl(id, begun) });
}

/** A file that was moved or changed since it was chosen can't be read, which would look like a network that is away. */
async function assertReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (error) {
    throw new UnreadableFileError('The file was moved or changed since it was chosen.', { cause: error });
  }
}
