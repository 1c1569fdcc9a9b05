import { statfs } from 'node:fs/promises';
import type { Deps } from '#server/platform/deps.ts';
import { StorageError } from './storage.ts';

export interface FreeSpace {
  directory: 'data' | 'media';
  bytes: number;
}

/** Free space on the disk of `DATA_DIR`, and of media that are in a folder that can be read. */
export async function readFreeSpace({ config, storage }: Pick<Deps, 'config' | 'storage'>): Promise<FreeSpace[]> {
  const { bavail, bsize } = await statfs(config.dataDir);
  const data: FreeSpace = { directory: 'data', bytes: bavail * bsize };
  try {
    const bytes = await storage.freeBytes?.();
    return bytes === undefined ? [data] : [data, { directory: 'media', bytes }];
  } catch (error) {
    // Readiness reports it.
    if (error instanceof StorageError) return [data];
    throw error;
  }
}
