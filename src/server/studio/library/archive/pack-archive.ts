import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeZip, predictLength } from 'client-zip';
import type { Deps } from '#server/platform/deps.ts';
import { stripCredentials } from '#server/platform/media/marks/strip-credentials.ts';
import { readSidecar } from '#server/studio/assets/sidecars.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';

interface ArchiveFile {
  name: string;
  storage_key: string;
  size_bytes: number;
  created_at: Date;
  /** A manifest that is packed beside it. */
  sidecar: { name: string; asset_id: string; size_bytes: number } | null;
}

export interface PackedArchive {
  files: ArchiveFile[];
  /** The files lose their content credentials. */
  is_bare: boolean;
}

/** Known in advance, because media are not compressed; null: not before the files are read. */
export function predictArchiveBytes({ files, is_bare }: PackedArchive): bigint | null {
  if (is_bare) return null;
  const entries = files.flatMap((file) => (file.sidecar ? [file, file.sidecar] : [file]));
  return predictLength(entries.map(({ name, size_bytes }) => ({ name, size: size_bytes })));
}

/**
 * Fails if a file is missing or has another size, because the length was announced.
 * @param signal aborted when the client disconnects; reading stops then
 */
export function packArchive(deps: Deps, { files, is_bare }: PackedArchive, signal: AbortSignal): Readable {
  const read = is_bare ? readBare : readStored;
  async function* entries() {
    for (const file of files) {
      signal.throwIfAborted();
      const lastModified = file.created_at;
      yield { name: file.name, lastModified, input: read(deps, file, signal) };
      if (file.sidecar) yield { name: file.sidecar.name, lastModified, input: await readManifest(deps, file.sidecar) };
    }
  }
  const zip = makeZip(entries());
  return Readable.from(zip);
}

async function* readStored({ storage }: Deps, file: ArchiveFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const source = await storage.read(file.storage_key);
  let readBytes = 0;
  for await (const chunk of readUntil(source, signal)) {
    readBytes += chunk.length;
    if (readBytes > file.size_bytes) break;
    yield chunk;
  }
  if (readBytes !== file.size_bytes) throw sizeError(file.storage_key, file.size_bytes);
}

async function* readUntil(source: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = () => source.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    yield* source as AsyncIterable<Uint8Array>;
  } finally {
    signal.removeEventListener('abort', stop);
    source.destroy();
  }
}

/** From a copy, because marks are found by their positions. */
async function* readBare(deps: Deps, file: ArchiveFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  // An open file outlives its name, so that nothing remains of a download that breaks.
  const handle = await withTempDir(deps.config.mediaDir, async (folder) => {
    const copy = join(folder, 'file');
    await deps.storage.copyToFile(file.storage_key, copy, { signal });
    if ((await stat(copy)).size !== file.size_bytes) throw sizeError(file.storage_key, file.size_bytes);
    return open(copy);
  });
  const source = Readable.from(stripCredentials(handle));
  source.once('close', () => {
    handle.close().catch((error: unknown) => deps.log.warn({ err: error }, 'file of a download not closed'));
  });
  yield* readUntil(source, signal);
}

async function readManifest({ db }: Deps, { name, asset_id, size_bytes }: NonNullable<ArchiveFile['sidecar']>) {
  const manifest = await readSidecar(db, asset_id);
  if (manifest?.length !== size_bytes) throw sizeError(name, size_bytes);
  return manifest;
}

const sizeError = (name: string, sizeBytes: number) => new Error(`${name} does not have ${sizeBytes} bytes.`);
