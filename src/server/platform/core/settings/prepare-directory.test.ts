import { chmod, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { prepareDirectory } from './prepare-directory.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-directory-'));
  await writeFile(join(folder, 'file'), '');
  await symlink('loop', join(folder, 'loop'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('creates a directory with its parents and leaves nothing in it', async () => {
  const path = join(folder, 'a/b/c');
  await prepareDirectory('DATA_DIR', path);
  await prepareDirectory('DATA_DIR', path);
  expect(await readdir(path)).toEqual([]);
});

it.each([
  ['file', 'is a file: name a folder.'],
  ['file/below', 'is below a file: name a folder.'],
  ['loop/below', 'is a symbolic link that leads to itself.'],
  ['n'.repeat(300), 'is too long.'],
])('names the variable if it can’t be %s', async (name, reason) => {
  const path = join(folder, name);
  await expect(prepareDirectory('MEDIA_DIR', path)).rejects.toThrow(`MEDIA_DIR ${path} ${reason}`);
});

it.each(['/proc', '/proc/emulsion', '/proc/emulsion/below'])('returns for %s', async (path) => {
  await expect(prepareDirectory('DATA_DIR', path)).rejects.toThrow(`DATA_DIR ${path} can’t be `);
});

it.skipIf(process.getuid?.() === 0)('names the variable of a directory without permission (not as root)', async () => {
  await chmod(folder, 0o500);
  await expect(prepareDirectory('DATA_DIR', join(folder, 'new'))).rejects.toThrow(/no permission to write there\.$/);
  await chmod(folder, 0o700);
});
