import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull } from '#server/db/is-disk-full.ts';
import { MediaError } from '#server/media/media-error.ts';
import { throwUnavailable } from '#server/storage/storage.ts';

/** One per process, so that several that share a media folder can tell theirs from those of a dead one. */
const THIS_PROCESS = randomUUID();
/** Less than a media program writes at once. */
const DISK_FULL_BYTES = 1_048_576;
const ABANDONED_MS = 2 * 3600 * 1000;

const tempRoot = (media_dir: string) => join(media_dir, 'scratch');

/**
 * Gives `work` a folder of its own, absolute and empty, and removes it whatever happens.
 * @throws {StorageError} `unavailable` where the work failed because the disk is full; else what `work` throws
 */
export async function withTempDir<T>(media_dir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const own = join(tempRoot(media_dir), THIS_PROCESS);
  const folder = await mkdir(own, { recursive: true })
    .then(() => mkdtemp(join(own, 'job-')))
    .catch((error: unknown) => {
      if (isDiskFull(error)) throwUnavailable(error);
      throw error;
    });
  try {
    return await work(folder);
  } catch (error) {
    if (await isDiskFullFailure(error, folder)) throwUnavailable(error);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A media program that fails does not say why in a way to rely on. */
async function isDiskFullFailure(error: unknown, folder: string): Promise<boolean> {
  if (isDiskFull(error)) return true;
  if (!(error instanceof MediaError)) return false;
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < DISK_FULL_BYTES;
}

/**
 * Removes the folders of processes that are gone.
 * @param alone no other process has this media folder; otherwise a folder counts as left behind after two hours
 */
export async function removeStaleTempDirs(media_dir: string, alone: boolean): Promise<void> {
  const processes = await readdir(tempRoot(media_dir)).catch(() => []);
  for (const name of processes) {
    if (name === THIS_PROCESS) continue;
    const folder = join(tempRoot(media_dir), name);
    const touched_ms = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (alone || touched_ms < Date.now() - ABANDONED_MS) await rm(folder, { recursive: true, force: true });
  }
}
