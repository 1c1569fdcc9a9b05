import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { S3Settings } from '#server/platform/core/settings/config.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import type { ServicePool } from '#server/platform/net/service-pool.ts';
import { describeStorageConformance } from './testing/storage-conformance.ts';
import { openBucket } from './s3-bucket.ts';
import { createS3Storage } from './s3-storage.ts';
import type { Storage } from './storage.ts';
import { type FakeS3Server, startFakeS3Server } from './testing/fake-s3-server.ts';

const { createPool: openPool } = createFetcher();
const MB = 1_048_576;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const unavailable = { name: 'StorageError', code: 'unavailable' };

describeStorageConformance('a bucket', async () => {
  const server = await startFakeS3Server();
  const pool = openPool(server.settings.endpoint);
  return {
    storage: createS3Storage(server.settings, pool, 0),
    async close() {
      await pool.close();
      await server.close();
    },
  };
});

const own = (name: string): string => process.env[`S3_TEST_${name}`] ?? '';

/** An external store, whose bucket is emptied. See docs/storage.md */
if (own('BUCKET') !== '') {
  describeStorageConformance('the bucket of S3_TEST_BUCKET', async () => {
    const pool = openPool(own('ENDPOINT'));
    const settings: S3Settings = {
      endpoint: own('ENDPOINT'),
      region: own('REGION') || 'us-east-1',
      bucket: own('BUCKET'),
      accessKey: { id: own('ACCESS_KEY_ID'), secret: own('SECRET_ACCESS_KEY') },
      links: 'stream',
    };
    const storage = createS3Storage(settings, pool, 0);
    await storage.removeLeftovers(new Date(Date.now() + 60_000));
    for await (const { key } of storage.list()) await storage.delete(key);
    return { storage, close: () => pool.close() };
  });
}

let server: FakeS3Server;
let pool: ServicePool;
let storage: Storage;
let folder: string;

beforeAll(async () => {
  server = await startFakeS3Server();
  pool = openPool(server.settings.endpoint);
  folder = await mkdtemp(path.join(tmpdir(), 's3-files-'));
});
afterAll(async () => {
  await pool.close();
  await server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  storage = createS3Storage(server.settings, pool, 0);
});
afterEach(() => {
  server.intercept = null;
});

async function* pieces(...all: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all;
}

describe('an object of several parts', () => {
  const content = randomBytes(20 * MB + 5);

  it('is stored completely from a file or a stream with any chunks', async () => {
    const file = path.join(folder, 'large');
    await writeFile(file, content);
    const written = { size_bytes: content.length, sha256: sha256(content) };
    expect(await storage.put('large', { file })).toEqual(written);
    expect(sha256(await buffer(await storage.read('large')))).toBe(written.sha256);
    const odd = pieces(content.subarray(0, 3), content.subarray(3, 17 * MB), content.subarray(17 * MB));
    expect(await storage.put('large', odd)).toEqual(written);
    expect((await storage.stat('large'))?.size_bytes).toBe(content.length);
    expect(await server.listPendingUploads()).toEqual([]);
  });

  it('leaves nothing when its source fails', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield content;
      throw new Error('the line broke');
    }
    await expect(storage.put('half', broken())).rejects.toThrow('the line broke');
    expect(await server.listPendingUploads()).toEqual([]);
    expect(await storage.stat('half')).toBeNull();
  });

  it.each([
    ['a part is refused', 'PUT', 'partNumber=2'],
    ['it can’t be completed', 'POST', 'uploadId='],
  ])('leaves nothing when %s', async (_, method, part) => {
    server.intercept = (request) =>
      request.method === method && request.url.includes(part) ? { status: 403, code: 'AccessDenied' } : null;
    await expect(storage.put('half', pieces(content))).rejects.toMatchObject(unavailable);
    expect(await server.listPendingUploads()).toEqual([]);
    expect(await storage.stat('half')).toBeNull();
  });

  it('stops when aborted', async () => {
    const control = new AbortController();
    server.intercept = ({ url }) => {
      if (!url.includes('partNumber=2')) return null;
      control.abort(new Error('canceled'));
      return 'hang';
    };
    await expect(storage.put('half', pieces(content), { signal: control.signal })).rejects.toThrow('canceled');
    expect(await server.listPendingUploads()).toEqual([]);
  });

  it('is cleaned up after its process was killed', async () => {
    const { s3, locate } = openBucket(server.settings, pool);
    await s3.createMultipartUpload(locate('left'));
    expect(await storage.removeLeftovers(new Date(Date.now() - 60_000))).toBe(0);
    expect(await server.listPendingUploads()).toHaveLength(1);
    expect(await storage.removeLeftovers(new Date(Date.now() + 60_000))).toBe(1);
    expect(await server.listPendingUploads()).toEqual([]);
  });
});

describe('a store', () => {
  it('is retried when it is busy or the connection breaks', async () => {
    let refusals = 2;
    server.intercept = () => (refusals-- > 0 ? { status: 503, code: 'SlowDown' } : null);
    await storage.put('again', pieces(Buffer.from('x')));
    refusals = 2;
    expect((await storage.stat('again'))?.size_bytes).toBe(1);
  });

  it('is unavailable while it does not respond and recovers afterwards', async () => {
    await storage.put('here', pieces(Buffer.from('x')));
    await server.stop();
    await expect(storage.put('new', pieces(Buffer.from('x')))).rejects.toMatchObject(unavailable);
    await expect(storage.read('here')).rejects.toMatchObject(unavailable);
    await expect(storage.stat('here')).rejects.toMatchObject(unavailable);
    await expect(storage.delete('here')).rejects.toMatchObject(unavailable);
    await expect(storage.copyToFile('here', path.join(folder, 'copy'))).rejects.toMatchObject(unavailable);
    await expect(storage.check()).rejects.toMatchObject(unavailable);
    await expect(storage.list()[Symbol.asyncIterator]().next()).rejects.toMatchObject(unavailable);
    await server.start();
    await expect(storage.check()).resolves.toBeUndefined();
    expect(String(await buffer(await storage.read('here')))).toBe('x');
  });

  it('is unavailable without its bucket', async () => {
    const other = createS3Storage({ ...server.settings, bucket: 'another' }, pool);
    await expect(other.stat('here')).rejects.toMatchObject(unavailable);
    await expect(other.read('here')).rejects.toMatchObject(unavailable);
    await expect(other.delete('here')).rejects.toMatchObject(unavailable);
    await expect(other.check()).rejects.toMatchObject(unavailable);
  });

  it('ignores other objects in the bucket', async () => {
    const { s3 } = openBucket(server.settings, pool);
    for (const Key of ['backup.tar', 'media/Not Ours', 'media/ours']) {
      await s3.putObject({ Bucket: server.settings.bucket, Key, Body: 'x' });
    }
    const keys: string[] = [];
    for await (const { key } of storage.list()) keys.push(key);
    expect(keys).toContain('ours');
    expect(keys).not.toContain('Not Ours');
    expect(keys.join()).not.toContain('backup');
  });

  it('removes an incomplete local file', async () => {
    await storage.put('long', pieces(Buffer.alloc(MB)));
    const file = path.join(folder, 'cut');
    const control = new AbortController();
    const copied = storage.copyToFile('long', file, { signal: control.signal });
    control.abort(new Error('canceled'));
    await expect(copied).rejects.toThrow('canceled');
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('caches a successful check', async () => {
    let probes = 0;
    server.intercept = () => {
      probes += 1;
      return null;
    };
    const probed = createS3Storage(server.settings, pool);
    for (let time = 0; time < 5; time += 1) await probed.check();
    expect(probes).toBe(1);
  });
});
