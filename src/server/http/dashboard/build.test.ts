import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isBuildFresh } from './build.ts';

const LONG_AGO = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-01-02T00:00:00Z');
const LATEST = new Date('2026-01-03T00:00:00Z');

let root: string;
const put = async (path: string, at: Date) => {
  await mkdir(join(root, path, '..'), { recursive: true });
  await writeFile(join(root, path), 'x');
  await utimes(join(root, path), at, at);
};
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'build-'));
  for (const file of ['index.html', 'src/web/features/create/page.tsx', 'src/contract/task.ts'])
    await put(file, LONG_AGO);
  for (const folder of ['src/web/features/create', 'src/web/features', 'src/web', 'src/contract']) {
    await utimes(join(root, folder), LONG_AGO, LONG_AGO);
  }
});
afterEach(() => rm(root, { recursive: true }));

it('is due when there is no build', async () => {
  expect(await isBuildFresh(root)).toBe(false);
});

it('is not due after a build', async () => {
  await put('dist/index.html', LATER);
  expect(await isBuildFresh(root)).toBe(true);
});

it.each([
  'src/web/features/create/page.tsx',
  'src/contract/task.ts',
  'index.html',
  'package-lock.json',
  'public/logo.svg',
])('is due when %s has changed', async (file) => {
  await put('dist/index.html', LATER);
  await put(file, LATEST);
  expect(await isBuildFresh(root)).toBe(false);
});

it('is due when a file was removed, but not a test', async () => {
  await put('dist/index.html', LATER);
  await put('src/contract/task.test.ts', LATEST);
  await utimes(join(root, 'src/contract'), LONG_AGO, LONG_AGO);
  expect(await isBuildFresh(root)).toBe(true);
  await rm(join(root, 'src/web/features/create/page.tsx'));
  expect(await isBuildFresh(root)).toBe(false);
});
