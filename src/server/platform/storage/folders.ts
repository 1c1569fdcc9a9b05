import { mkdir, open, opendir, rename, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '#server/platform/core/has-error-code.ts';
import type { ObjectStat } from './storage.ts';
import { throwUnavailable } from './storage.ts';

const MOVE_ATTEMPTS = 5;

/** Moves a file durably below `root`, which must exist. */
export async function moveFile(file: string, root: string, target: string): Promise<void> {
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

export async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let at = folder; at !== root; at = path.dirname(at)) {
    const removed = await rmdir(at).then(
      () => true,
      (error: unknown) => hasErrorCode(error, 'ENOENT'),
    );
    if (!removed) return;
  }
}

/** Lists relative paths; skips files deleted meanwhile. @throws {StorageError} `unavailable` */
export async function* walkFiles(root: string, below: string): AsyncGenerator<ObjectStat & { key: string }> {
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
