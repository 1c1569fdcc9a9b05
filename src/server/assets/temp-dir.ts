import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull } from '#server/db/is-disk-full.ts';
import { MediaError } from '#server/media/media-error.ts';
import { throwUnavailable } from '#server/storage/storage.ts';

/** One root per process, because several processes may share a media folder. */
const THIS_PROCESS = randomUUID();
/** Below this much free space a failure of ffmpeg counts as a full disk. */
const DISK_FULL_BYTES = 1_048_576;
const ABANDONED_MS = 2 * 3600 * 1000;

const tempRoot = (media_dir: string) => join(media_dir, 'scratch');

/** @throws {StorageError} `unavailable` if the disk is full; otherwise what `work` throws */
export async function withTempDir<T>(media_dir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const process_root = join(tempRoot(media_dir), THIS_PROCESS);
  const folder = await mkdir(process_root, { recursive: true })
    .then(() => mkdtemp(join(process_root, 'job-')))
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

/** ffmpeg does not report a full disk reliably, so the free space is checked. */
async function isDiskFullFailure(error: unknown, folder: string): Promise<boolean> {
  if (isDiskFull(error)) return true;
  if (!(error instanceof MediaError)) return false;
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < DISK_FULL_BYTES;
}

/** @param alone no other process uses this media folder; otherwise only folders untouched for two hours are removed */
export async function removeStaleTempDirs(media_dir: string, alone: boolean): Promise<void> {
  const processes = await readdir(tempRoot(media_dir)).catch(() => []);
  for (const name of processes) {
    if (name === THIS_PROCESS) continue;
    const folder = join(tempRoot(media_dir), name);
    const modified_ms = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (alone || modified_ms < Date.now() - ABANDONED_MS) await rm(folder, { recursive: true, force: true });
  }
}
