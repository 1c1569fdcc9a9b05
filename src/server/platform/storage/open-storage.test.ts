import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { S3Settings } from '#server/platform/core/settings/config.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { openStorage } from './open-storage.ts';
import { type FakeS3Server, startFakeS3Server } from './testing/fake-s3-server.ts';

let server: FakeS3Server;
let folder: string;
beforeAll(async () => {
  server = await startFakeS3Server();
  folder = await mkdtemp(path.join(tmpdir(), 'open-storage-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

it('defaults to a folder', async () => {
  const storage = await openStorage({ mediaDir: folder, s3: null }, createFetcher(), pino({ enabled: false }));
  await expect(storage.check()).resolves.toBeUndefined();
  expect(storage.link).toBeUndefined();
});

describe('at the start', () => {
  const start = (change: Partial<S3Settings>) =>
    openStorage({ mediaDir: folder, s3: { ...server.settings, ...change } }, createFetcher(), pino({ enabled: false }));

  it.each([
    ['S3_BUCKET', { bucket: 'another' }],
    ['S3_ACCESS_KEY_ID', { accessKey: { id: 'unknown', secret: 'S3RVER' } }],
    ['S3_SECRET_ACCESS_KEY', { accessKey: { id: 'S3RVER', secret: 'wrong' } }],
  ])('reports a wrong %s', async (name, change) => {
    await expect(start(change)).rejects.toMatchObject({
      message: expect.stringMatching(new RegExp(`^${name} .*\\.$`)),
    });
  });

  it('starts while the store is unavailable', async () => {
    await server.stop();
    const opened = await start({});
    await expect(opened.check()).rejects.toMatchObject({ code: 'unavailable' });
    await server.start();
    await expect(opened.check()).resolves.toBeUndefined();
  });
});
