import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** One per process, so that several that share a media folder can tell theirs from those of a dead one. */
const THIS_PROCESS = randomUUID();
const ABANDONED_MS = 2 * 3600 * 1000;

const root = (media_dir: string) => join(media_dir, 'scratch');

/** Gives `work` a folder of its own, absolute and empty, and removes it whatever happens. */
export async function withScratchFolder<T>(media_dir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const own = join(root(media_dir), THIS_PROCESS);
  await mkdir(own, { recursive: true });
  const folder = await mkdtemp(join(own, 'job-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Removes the folders of processes that are gone.
 * @param alone no other process has this media folder; otherwise a folder counts as left behind after two hours
 */
export async function removeScratch(media_dir: string, alone: boolean): Promise<void> {
  const processes = await readdir(root(media_dir)).catch(() => []);
  for (const name of processes) {
    if (name === THIS_PROCESS) continue;
    const folder = join(root(media_dir), name);
    const touched_ms = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (alone || touched_ms < Date.now() - ABANDONED_MS) await rm(folder, { recursive: true, force: true });
  }
}
