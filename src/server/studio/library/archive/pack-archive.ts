import { Readable } from 'node:stream';
import { makeZip, predictLength } from 'client-zip';
import type { Storage } from '#server/platform/storage/storage.ts';

export interface ArchiveFile {
  name: string;
  storage_key: string;
  size_bytes: number;
  created_at: Date;
}

/** Known in advance, because media are not compressed. */
export const predictArchiveBytes = (files: readonly ArchiveFile[]): bigint =>
  predictLength(files.map(({ name, size_bytes }) => ({ name, size: size_bytes })));

/**
 * Fails if a file is missing or has another size, because the length was announced.
 * @param signal aborted when the client disconnects; reading stops then
 */
export function packArchive(storage: Storage, files: readonly ArchiveFile[], signal: AbortSignal): Readable {
  async function* entries() {
    for (const file of files) {
      signal.throwIfAborted();
      yield { name: file.name, lastModified: file.created_at, input: readVerified(storage, file, signal) };
    }
  }
  const zip = makeZip(entries());
  return Readable.from(zip);
}

async function* readVerified(storage: Storage, file: ArchiveFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const source = await storage.read(file.storage_key);
  const stop = () => source.destroy();
  signal.addEventListener('abort', stop, { once: true });
  let readBytes = 0;
  try {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      readBytes += chunk.length;
      if (readBytes > file.size_bytes) break;
      yield chunk;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    source.destroy();
  }
  if (readBytes !== file.size_bytes) throw new Error(`${file.storage_key} does not have ${file.size_bytes} bytes.`);
}
