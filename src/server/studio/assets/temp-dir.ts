import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, statfs, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull } from '#server/platform/db/embedded/is-disk-full.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';

/** One root per process, because several processes may share a media folder. */
const THIS_PROCESS = randomUUID();
/** Below this much free space a failure of ffmpeg counts as a full disk. */
const DISK_FULL_BYTES = 1_048_576;
/** A process shows that it lives by the time of its root, because it may be on another machine. */
const SIGN_OF_LIFE_MS = 60_000;
const ABANDONED_MS = 10 * SIGN_OF_LIFE_MS;

const tempRoot = (mediaDir: string) => join(mediaDir, 'scratch');

const ownRoots = new Set<string>();
let signOfLife: NodeJS.Timeout | undefined;

function keepAlive(processRoot: string): void {
  ownRoots.add(processRoot);
  signOfLife ??= setInterval(() => {
    const now = new Date();
    for (const root of ownRoots) utimes(root, now, now).catch(() => ownRoots.delete(root));
  }, SIGN_OF_LIFE_MS).unref();
}

/** @throws {StorageError} `unavailable` if the disk is full; otherwise what `work` throws */
export async function withTempDir<T>(mediaDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const processRoot = join(tempRoot(mediaDir), THIS_PROCESS);
  const folder = await mkdir(processRoot, { recursive: true })
    .then(() => mkdtemp(join(processRoot, 'job-')))
    .catch((error: unknown) => {
      if (isDiskFull(error)) throwUnavailable(error);
      throw error;
    });
  keepAlive(processRoot);
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

/** @param alone no other process uses this media folder; otherwise only those of processes without a sign of life for ten minutes are removed */
export async function removeStaleTempDirs(mediaDir: string, alone: boolean): Promise<void> {
  const processes = await readdir(tempRoot(mediaDir)).catch(() => []);
  for (const name of processes) {
    if (name === THIS_PROCESS) continue;
    const folder = join(tempRoot(mediaDir), name);
    const modifiedMs = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (alone || modifiedMs < Date.now() - ABANDONED_MS) await rm(folder, { recursive: true, force: true });
  }
}
