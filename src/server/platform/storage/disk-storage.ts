import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, rm, rmdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { linkOrCopy } from '#server/platform/core/link-or-copy.ts';
import { hasErrorCode } from '#server/platform/core/has-error-code.ts';
import { linkOrCopyFile, moveFile, writeDurableFile } from './durable-files.ts';
import { assertStorageKey, type ObjectStat, StorageError, type Storage, throwUnavailable } from './storage.ts';

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
      await linkOrCopy(source, file).catch(throwUnavailable);
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
