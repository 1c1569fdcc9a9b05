import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, link, mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '#server/platform/core/has-error-code.ts';
import { throwUnavailable, type WrittenObject } from './storage.ts';

const MOVE_ATTEMPTS = 5;

/** Moves a file durably below `root`, which must exist. */
export async function moveFile(file: string, root: string, target: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const touched = await ensureFolders(root, path.dirname(target));
    try {
      await rename(file, target);
      for (const folder of touched) await syncPath(folder);
      return;
    } catch (error) {
      // A concurrent delete may remove the empty folder in between.
      if (!hasErrorCode(error, 'ENOENT') || attempt === MOVE_ATTEMPTS) throw error;
    }
  }
}

/** @returns the folders whose entries change: the last one, and the parent of each created one */
async function ensureFolders(root: string, folder: string): Promise<Set<string>> {
  const touched = new Set([folder]);
  let at = root;
  for (const part of path.relative(root, folder).split(path.sep).filter(Boolean)) {
    const child = path.join(at, part);
    const created = await mkdir(child).then(
      () => true,
      (error: unknown) => {
        if (hasErrorCode(error, 'EEXIST')) return false;
        throw error;
      },
    );
    if (created) touched.add(at);
    at = child;
  }
  return touched;
}

/** Waits until a file, or the entries of a folder, are on the disk. */
export async function syncPath(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a new file that survives a crash. Only errors of the disk mean `unavailable`. @throws {StorageError} `unavailable`; what the source throws */
export async function writeDurableFile(
  source: AsyncIterable<Uint8Array>,
  file: string,
  signal?: AbortSignal,
): Promise<WrittenObject> {
  const handle = await open(file, 'wx').catch(throwUnavailable);
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of source) {
      signal?.throwIfAborted();
      await handle.appendFile(chunk).catch(throwUnavailable);
      hash.update(chunk);
      sizeBytes += chunk.byteLength;
    }
    signal?.throwIfAborted();
    await handle.sync().catch(throwUnavailable);
    return { size_bytes: sizeBytes, sha256: hash.digest('hex') };
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
  let sizeBytes = 0;
  for await (const chunk of handle.createReadStream({ autoClose: false, start: 0 })) {
    signal?.throwIfAborted();
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { size_bytes: sizeBytes, sha256: hash.digest('hex') };
}
