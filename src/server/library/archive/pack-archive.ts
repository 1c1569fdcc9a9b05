import { Readable } from 'node:stream';
import { makeZip, predictLength } from 'client-zip';
import type { Storage } from '#server/storage/storage.ts';

/** A stored file, and what it is called in the archive. */
export interface ArchiveFile {
  name: string;
  storage_key: string;
  size_bytes: number;
  created_at: Date;
}

/** How large the ZIP of the files is, to the byte: media are not compressed again. */
export const predictArchiveBytes = (files: readonly ArchiveFile[]): bigint =>
  predictLength(files.map(({ name, size_bytes }) => ({ name, size: size_bytes })));

/**
 * The ZIP of stored files, one read after another and no faster than it is taken. It ends with an error where a file is
 * gone or of another size, since its length was promised.
 * @param signal aborted where nobody takes it any more: nothing more is read then
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
  let read_bytes = 0;
  try {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      read_bytes += chunk.length;
      if (read_bytes > file.size_bytes) break;
      yield chunk;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    source.destroy();
  }
  if (read_bytes !== file.size_bytes) throw new Error(`${file.storage_key} is not of ${file.size_bytes} bytes.`);
}
