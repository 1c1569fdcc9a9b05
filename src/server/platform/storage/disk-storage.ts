import { randomUUID, createHash } from 'node:crypto';
import {
  copyFile,
  link,
  mkdir,
  open,
  rm,
  stat,
  statfs,
  opendir,
  rename,
  rmdir,
  type FileHandle,
} from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '#server/platform/core/has-error-code.ts';
import {
  assertStorageKey,
  StorageError,
  throwUnavailable,
  type Storage,
  type ObjectStat,
  type WrittenObject,
} from './storage.ts';
import { createReadStream } from 'node:fs';

/**
 * Stores `objects/<key>`, and `tmp/<id>` while an object is written.
 * @param folder created if missing; if it disappears later, calls fail instead of filling the disk behind the mount
 */
export async function createDiskStorage(folder: string): Promise<Storage> {
  const objects = path.join(folder, 'objects');
  const temporary = path.join(folder, 'tmp');
  for (const directory of [objects, temporary]) {
    await mkdir(directory, { recursive: true }).catch((cause: unknown) => {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
      throw new StorageError('unavailable', `The directory ${directory} can’t be created: ${code}.`, { cause });
    });
  }

  const pathOf = (key: string): string => {
    assertStorageKey(key);
    return path.join(objects, key);
  };

  /** ENOENT means a missing object only while the storage folder itself exists. */
  const missing = async (cause: unknown): Promise<null> => {
    if (!hasErrorCode(cause, 'ENOENT', 'ENOTDIR')) throwUnavailable(cause);
    await stat(objects).catch(throwUnavailable);
    return null;
  };

  const requireObject = async <T>(key: string, work: Promise<T>): Promise<T> => {
    const value = await work.catch(missing);
    if (value === null) throw new StorageError('not_found', `No object ${key}`);
    return value;
  };

  return {
    async put(key, source, options = {}) {
      const target = pathOf(key);
      const part = path.join(temporary, randomUUID());
      try {
        const written =
          'file' in source
            ? await linkOrCopyFile(source.file, part, options.signal)
            : await writeDurableFile(source, part, options.signal);
        await moveFile(part, objects, target).catch(throwUnavailable);
        return written;
      } finally {
        await rm(part, { force: true }).catch(() => undefined);
      }
    },

    async read(key, range = {}) {
      const handle = await requireObject(key, open(pathOf(key), 'r'));
      return handle.createReadStream({ ...range });
    },

    async stat(key) {
      const stats = await stat(pathOf(key)).catch(missing);
      return stats?.isFile() ? { size_bytes: stats.size, modified_at: stats.mtime } : null;
    },

    async delete(key) {
      const file = pathOf(key);
      await rm(file).catch(missing);
      await removeEmptyFolders(path.dirname(file), objects);
    },

    list: () => walkFiles(objects, ''),

    async copyToFile(key, file, options = {}) {
      options.signal?.throwIfAborted();
      const source = pathOf(key);
      await requireObject(key, stat(source));
      await rm(file, { force: true }).catch(throwUnavailable);
      await link(source, file).catch(() => copyFile(source, file).catch(throwUnavailable));
    },

    async removeLeftovers(before) {
      let removed = 0;
      for await (const entry of walkFiles(temporary, '')) {
        if (entry.modified_at >= before) continue;
        await rm(path.join(temporary, entry.key), { force: true }).catch(throwUnavailable);
        removed += 1;
      }
      return removed;
    },

    async freeBytes() {
      const { bavail, bsize } = await statfs(objects).catch(throwUnavailable);
      return bavail * bsize;
    },

    async check() {
      const probe = path.join(temporary, randomUUID());
      try {
        await stat(objects).catch(throwUnavailable);
        const handle = await open(probe, 'wx').catch(throwUnavailable);
        try {
          await handle.appendFile(Buffer.alloc(4_096)).catch(throwUnavailable);
          await handle.sync().catch(throwUnavailable);
        } finally {
          await handle.close();
        }
      } finally {
        await rm(probe, { force: true }).catch(() => undefined);
      }
    },
  };
}

const MOVE_ATTEMPTS = 5;

/** Moves a file durably below `root`, which must exist. */
async function moveFile(file: string, root: string, target: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const touched = await ensureFolders(root, path.dirname(target));
    try {
      await rename(file, target);
      for (const folder of touched) await syncFolder(folder);
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

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let at = folder; at !== root; at = path.dirname(at)) {
    const removed = await rmdir(at).then(
      () => true,
      (error: unknown) => hasErrorCode(error, 'ENOENT'),
    );
    if (!removed) return;
  }
}

/** Lists relative paths; skips files deleted meanwhile. @throws {StorageError} `unavailable` */
async function* walkFiles(root: string, below: string): AsyncGenerator<ObjectStat & { key: string }> {
  const folder = await opendir(path.join(root, below)).catch((error: unknown) => {
    if (below !== '' && hasErrorCode(error, 'ENOENT')) return null;
    return throwUnavailable(error);
  });
  if (!folder) return;
  for await (const entry of folder) {
    const key = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* walkFiles(root, key);
    if (!entry.isFile()) continue;
    const stats = await stat(path.join(root, key)).catch(() => null);
    if (stats) yield { key, size_bytes: stats.size, modified_at: stats.mtime };
  }
}

/** Only errors of the disk mean `unavailable`. @throws {StorageError} `unavailable`; what the source throws */
async function writeDurableFile(
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
async function linkOrCopyFile(source: string, file: string, signal?: AbortSignal): Promise<WrittenObject> {
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
