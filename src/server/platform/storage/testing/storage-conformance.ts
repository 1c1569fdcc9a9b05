import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '#server/platform/storage/storage.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function* toChunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** Tests what every store must do. @param open creates an empty store */
export function describeStorageConformance(
  name: string,
  open: () => Promise<{ storage: Storage; close(): Promise<void> }>,
): void {
  describe(`${name} as a store`, () => {
    let storage: Storage;
    let close: () => Promise<void>;
    let folder: string;

    beforeEach(async () => {
      ({ storage, close } = await open());
      folder = await mkdtemp(path.join(tmpdir(), 'store-'));
    });
    afterEach(async () => {
      await close();
      await rm(folder, { recursive: true, force: true });
    });

    const read = async (key: string, range?: { start?: number; end?: number }): Promise<string> =>
      (await buffer(await storage.read(key, range))).toString();
    const keys = async (): Promise<string[]> => {
      const keysFound: string[] = [];
      for await (const { key } of storage.list()) keysFound.push(key);
      return keysFound.toSorted();
    };

    it('returns a stored object with its size and checksum', async () => {
      const written = await storage.put('org_a/ast_1.mp4', toChunks('one ', 'two'));
      expect(written).toEqual({ size_bytes: 7, sha256: sha256(Buffer.from('one two')) });
      expect(await read('org_a/ast_1.mp4')).toBe('one two');
      expect((await storage.stat('org_a/ast_1.mp4'))?.size_bytes).toBe(7);
    });

    it('stores a file and leaves the source', async () => {
      const file = path.join(folder, 'made');
      const content = Buffer.alloc(300_000, 'x');
      await writeFile(file, content);
      expect(await storage.put('a/b.png', { file })).toEqual({ size_bytes: 300_000, sha256: sha256(content) });
      await rm(file);
      expect(sha256(await buffer(await storage.read('a/b.png')))).toBe(sha256(content));
    });

    it('dates an object by its storage time, not by the age of the file', async () => {
      const file = path.join(folder, 'old');
      await writeFile(file, 'x');
      await utimes(file, new Date(0), new Date(0));
      await storage.put('old', { file });
      expect(Date.now() - ((await storage.stat('old'))?.modified_at.getTime() ?? 0)).toBeLessThan(60_000);
    });

    it('stores empty objects', async () => {
      await storage.put('empty', toChunks());
      expect(await read('empty')).toBe('');
      expect((await storage.stat('empty'))?.size_bytes).toBe(0);
    });

    it('reads ranges with both ends included', async () => {
      await storage.put('digits', toChunks('0123456789'));
      expect(await read('digits', { start: 2, end: 4 })).toBe('234');
      expect(await read('digits', { start: 7 })).toBe('789');
      expect(await read('digits', { end: 0 })).toBe('0');
    });

    it('replaces an object of the same key', async () => {
      await storage.put('k', toChunks('first'));
      await storage.put('k', toChunks('second'));
      expect(await read('k')).toBe('second');
      expect(await keys()).toEqual(['k']);
    });

    it('stores nothing when the source fails and throws its error', async () => {
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield Buffer.alloc(100_000);
        throw new Error('the line broke');
      }
      await expect(storage.put('half', broken())).rejects.toThrow('the line broke');
      expect(await storage.stat('half')).toBeNull();
      expect(await keys()).toEqual([]);
    });

    it('hides an object until it is complete', async () => {
      const observed: unknown[] = [];
      async function* slow(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('part');
        observed.push(await storage.stat('slow'), await keys());
        yield Buffer.from('rest');
      }
      await storage.put('slow', slow());
      expect(observed).toEqual([null, []]);
      expect(await read('slow')).toBe('partrest');
    });

    it('keeps the old object when replacing it is aborted', async () => {
      await storage.put('k', toChunks('old'));
      const controller = new AbortController();
      async function* endless(): AsyncGenerator<Uint8Array> {
        for (;;) {
          yield Buffer.alloc(1_000);
          controller.abort(new Error('canceled'));
        }
      }
      await expect(storage.put('k', endless(), { signal: controller.signal })).rejects.toThrow('canceled');
      expect(await read('k')).toBe('old');
    });

    it('reports a missing object', async () => {
      await storage.put('there/is', toChunks('x'));
      expect(await storage.stat('nothing')).toBeNull();
      expect(await storage.stat('there/is/nothing')).toBeNull();
      await expect(storage.read('nothing')).rejects.toMatchObject({ name: 'StorageError', code: 'not_found' });
      await expect(storage.copyToFile('nothing', path.join(folder, 'x'))).rejects.toMatchObject({ code: 'not_found' });
      await expect(storage.delete('nothing')).resolves.toBeUndefined();
    });

    it('removes deleted objects', async () => {
      await storage.put('org/a.png', toChunks('a'));
      await storage.put('org/b.png', toChunks('b'));
      await storage.delete('org/a.png');
      expect(await storage.stat('org/a.png')).toBeNull();
      expect(await keys()).toEqual(['org/b.png']);
    });

    it('lists every object with its age', async () => {
      await Promise.all(['a', 'b/c', 'b/d/e.mp4'].map((key) => storage.put(key, toChunks(key))));
      expect(await keys()).toEqual(['a', 'b/c', 'b/d/e.mp4']);
      for await (const entry of storage.list()) {
        expect(entry.size_bytes).toBe(entry.key.length);
        expect(Math.abs(Date.now() - entry.modified_at.getTime())).toBeLessThan(60_000);
      }
    });

    it('copies an object to a local file that outlives it', async () => {
      await storage.put('k', toChunks('content'));
      const file = path.join(folder, 'reference.mp4');
      await writeFile(file, 'what a run before left here');
      await storage.copyToFile('k', file);
      await storage.delete('k');
      expect(await readFile(file, 'utf8')).toBe('content');
    });

    it('keeps a local file unchanged when the object is replaced', async () => {
      await storage.put('k', toChunks('content'));
      const file = path.join(folder, 'reference.mp4');
      await storage.copyToFile('k', file);
      await storage.put('k', toChunks('other'));
      expect(await readFile(file, 'utf8')).toBe('content');
    });

    it('handles concurrent puts and deletes in one folder', async () => {
      await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          await storage.put(`same/folder/${index}`, toChunks(String(index)));
          if (index % 2 === 0) await storage.delete(`same/folder/${index}`);
        }),
      );
      expect(await keys()).toHaveLength(20);
    });

    it.each(['', '/', '../a', 'a/../b', '/etc/passwd', 'a//b', 'a/', '.a', 'a/.b', 'A', 'a b', 'a\0', 'a\\b', 'ä'])(
      'rejects %j as a key',
      async (key) => {
        const invalid = { name: 'StorageError', code: 'invalid_key' };
        await expect(storage.put(key, toChunks('x'))).rejects.toMatchObject(invalid);
        await expect(storage.read(key)).rejects.toMatchObject(invalid);
        await expect(storage.stat(key)).rejects.toMatchObject(invalid);
        await expect(storage.delete(key)).rejects.toMatchObject(invalid);
      },
    );

    it('is ready', async () => {
      await expect(storage.check()).resolves.toBeUndefined();
      expect(await keys()).toEqual([]);
    });
  });
}
