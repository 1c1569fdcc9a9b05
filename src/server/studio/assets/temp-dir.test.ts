import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as TempDirs from './temp-dir.ts';

const MINUTE_MS = 60_000;

let mediaDir: string;
/** As in a new process: with a root of its own. */
let tempDirs: typeof TempDirs;
beforeEach(async () => {
  mediaDir = await mkdtemp(join(tmpdir(), 'emulsion-temp-'));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.resetModules();
  tempDirs = await import('./temp-dir.ts');
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(mediaDir, { recursive: true });
});
const leaveFolder = async (name: string, ageMs: number) => {
  const root = join(mediaDir, 'scratch', name);
  await mkdir(join(root, 'job-1'), { recursive: true });
  const modified = new Date(Date.now() - ageMs);
  await utimes(root, modified, modified);
};
const listRoots = () => readdir(join(mediaDir, 'scratch'));

it('removes the folders of processes that have shown no sign of life for ten minutes', async () => {
  await leaveFolder('killed', 11 * MINUTE_MS);
  await leaveFolder('alive', 2 * MINUTE_MS);
  await tempDirs.removeStaleTempDirs(mediaDir, false);
  expect(await listRoots()).toEqual(['alive']);
});

it('removes all of them at the start of the only process', async () => {
  await leaveFolder('killed', MINUTE_MS);
  await tempDirs.removeStaleTempDirs(mediaDir, true);
  expect(await listRoots()).toEqual([]);
});

it('keeps the folder of long work, because its process shows that it lives', async () => {
  await tempDirs.withTempDir(mediaDir, async (folder) => {
    const root = dirname(folder);
    const longAgo = new Date(Date.now() - 60 * MINUTE_MS);
    await utimes(root, longAgo, longAgo);
    vi.advanceTimersByTime(MINUTE_MS);
    await expect.poll(async () => (await stat(root)).mtimeMs).toBeGreaterThan(Date.now() - MINUTE_MS);
    vi.resetModules();
    const other = await import('./temp-dir.ts');
    await other.removeStaleTempDirs(mediaDir, false);
    expect(await readdir(root)).toHaveLength(1);
  });
});
