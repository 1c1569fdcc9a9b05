import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
import { type ObjectStat, type Storage, StorageError } from '#server/platform/storage/storage.ts';

/** Enough for what is used soon after it is stored, such as by the next step of a workflow. */
const MAX_FILES = 500;

const measured = new Map<string, { media: MediaFileInfo; stat: ObjectStat }>();

/** Remembers what a stored file is, until its size or time changes: measuring a video starts three processes. */
export function rememberMeasured(storageKey: string, stat: ObjectStat | null, media: MediaFileInfo): void {
  measured.delete(storageKey);
  if (stat) measured.set(storageKey, { media, stat });
  const [oldest] = measured.keys();
  if (measured.size > MAX_FILES && oldest !== undefined) measured.delete(oldest);
}

/** As `rememberMeasured`, of a file that was just stored. Without its size and time, it is measured when it is used. */
export async function rememberStored(storage: Storage, storageKey: string, media: MediaFileInfo): Promise<void> {
  const stat = await storage.stat(storageKey).catch((error: unknown) => {
    if (error instanceof StorageError) return null;
    throw error;
  });
  rememberMeasured(storageKey, stat, media);
}

/** @param stat of the stored file now */
export function findMeasured(storageKey: string, stat: ObjectStat | null): MediaFileInfo | undefined {
  const known = measured.get(storageKey);
  const isSame =
    known?.stat.size_bytes === stat?.size_bytes && known?.stat.modified_at.getTime() === stat?.modified_at.getTime();
  return isSame ? known?.media : undefined;
}
