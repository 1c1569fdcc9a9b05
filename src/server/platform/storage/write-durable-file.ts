import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, open, type FileHandle } from 'node:fs/promises';
import { type WrittenObject, throwUnavailable } from './storage.ts';

/** Only errors of the disk mean `unavailable`. @throws {StorageError} `unavailable`; what the source throws */
export async function writeDurableFile(
  source: AsyncIterable<Uint8Array>,
  file: string,
  signal?: AbortSignal,
): Promise<WrittenObject> {
  const handle = await open(file, 'wx').catch(throwUnavailable);
  try {
    const hash = createHash('sha256');
    let size_bytes = 0;
    for await (const chunk of source) {
      signal?.throwIfAborted();
      await handle.appendFile(chunk).catch(throwUnavailable);
      hash.update(chunk);
      size_bytes += chunk.byteLength;
    }
    signal?.throwIfAborted();
    await handle.sync().catch(throwUnavailable);
    return { size_bytes, sha256: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}

/** Links a file on the same disk and reads it once for its checksum. @throws {StorageError} `unavailable` */
export async function linkOrCopyFile(source: string, file: string, signal?: AbortSignal): Promise<WrittenObject> {
  const linked = await link(source, file).then(
    () => true,
    () => false,
  );
  if (!linked) return writeDurableFile(createReadStream(source), file, signal);
  const handle = await open(file, 'r').catch(throwUnavailable);
  try {
    const written = await hashFile(handle, signal);
    // The modification time must be that of the object, not of the source.
    const now = new Date();
    await handle.utimes(now, now).catch(throwUnavailable);
    await handle.sync().catch(throwUnavailable);
    return written;
  } finally {
    await handle.close();
  }
}

async function hashFile(handle: FileHandle, signal?: AbortSignal): Promise<WrittenObject> {
  const hash = createHash('sha256');
  let size_bytes = 0;
  for await (const chunk of handle.createReadStream({ autoClose: false, start: 0 })) {
    signal?.throwIfAborted();
    hash.update(chunk);
    size_bytes += chunk.length;
  }
  return { size_bytes, sha256: hash.digest('hex') };
}
