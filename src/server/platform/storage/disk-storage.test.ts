import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeStorageConformance } from './testing/storage-conformance.ts';
import { canMount } from '#server/app/testing/can-mount.ts';
import { createDiskStorage } from './disk-storage.ts';

describeStorageConformance('a folder', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'disk-'));
  return {
    storage: await createDiskStorage(folder),
    close: () => rm(folder, { recursive: true }),
  };
});

async function* bytes(size_bytes: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < size_bytes; sent += 65_536) yield Buffer.alloc(Math.min(65_536, size_bytes - sent));
}

describe('createDiskStorage', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'disk-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('leaves no temporary file and no empty folder', async () => {
    const storage = await createDiskStorage(folder);
    const file = path.join(folder, 'made');
    await writeFile(file, 'x');
    await storage.put('a/b', { file });
    await storage.put('a/b', { file });
    expect(await readdir(path.join(folder, 'tmp'))).toEqual([]);
    await storage.delete('a/b');
    expect(await readdir(path.join(folder, 'objects'))).toEqual([]);
  });

  it('removes only old leftovers', async () => {
    const storage = await createDiskStorage(folder);
    for (const name of ['old', 'new']) await writeFile(path.join(folder, 'tmp', name), 'x');
    await utimes(path.join(folder, 'tmp', 'old'), new Date(0), new Date(0));
    expect(await storage.removeLeftovers(new Date(Date.now() - 3_600_000))).toBe(1);
    expect(await readdir(path.join(folder, 'tmp'))).toEqual(['new']);
  });

  it('is unavailable while its folder is missing and recovers afterwards', async () => {
    const storage = await createDiskStorage(folder);
    await storage.put('a/b', bytes(10));
    await rename(folder, `${folder}-away`);
    await mkdir(folder);
    const unavailable = { name: 'StorageError', code: 'unavailable' };
    await expect(storage.put('a/c', bytes(10))).rejects.toMatchObject(unavailable);
    await expect(storage.read('a/b')).rejects.toMatchObject(unavailable);
    await expect(storage.stat('a/b')).rejects.toMatchObject(unavailable);
    await expect(storage.delete('a/b')).rejects.toMatchObject(unavailable);
    await expect(storage.check()).rejects.toMatchObject(unavailable);
    await expect(storage.list()[Symbol.asyncIterator]().next()).rejects.toMatchObject(unavailable);
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
    await rename(`${folder}-away`, folder);
    await expect(storage.check()).resolves.toBeUndefined();
    expect(await storage.stat('a/b')).not.toBeNull();
  });
});

describe.skipIf(!canMount)('a full disk (needs rights to mount)', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'small-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  });
  afterEach(async () => {
    execFileSync('umount', [folder]);
    await rm(folder, { recursive: true });
  });

  it('is unavailable until there is free space', async () => {
    const storage = await createDiskStorage(folder);
    await storage.put('first', bytes(900_000));
    await expect(storage.put('second', bytes(900_000))).rejects.toMatchObject({ code: 'unavailable' });
    expect(await storage.stat('second')).toBeNull();
    expect(await readdir(path.join(folder, 'tmp'))).toEqual([]);
    await storage.delete('first');
    await storage.put('second', bytes(900_000));
    expect((await storage.stat('second'))?.size_bytes).toBe(900_000);
  });

  it('is not ready', async () => {
    const storage = await createDiskStorage(folder);
    await storage.put('first', bytes(1_000_000));
    await writeFile(path.join(folder, 'rest'), Buffer.alloc(100_000)).catch(() => undefined);
    await expect(storage.check()).rejects.toMatchObject({ code: 'unavailable' });
  });
});
