import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import type { ServicePool } from '#server/platform/net/service-pool.ts';
import { createS3Storage } from './s3-storage.ts';
import { type FakeS3Server, startFakeS3Server } from './testing/fake-s3-server.ts';

let server: FakeS3Server;
let pool: ServicePool;
beforeAll(async () => {
  server = await startFakeS3Server();
  pool = createFetcher().createPool(server.settings.endpoint);
});
afterAll(async () => {
  await pool.close();
  await server.close();
});

async function* content(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('0123456789');
}

describe('a presigned link', () => {
  const link = async (expiresMs: number) => {
    const presigning = createS3Storage({ ...server.settings, links: 'presigned' }, pool);
    await presigning.put('picture.png', content());
    return presigning.link?.('picture.png', {
      mime_type: 'image/png',
      disposition: 'inline; filename="a.png"',
      signed_at: new Date(Date.now() - 60_000),
      expires_at: new Date(Date.now() + expiresMs),
    });
  };

  it('exists only when enabled', () => {
    expect(createS3Storage(server.settings, pool).link).toBeUndefined();
  });

  it('returns the object, or a range of it, with the signed type and name', async () => {
    const url = (await link(60_000)) ?? '';
    const response = await fetch(url, { headers: { range: 'bytes=2-4' } });
    expect([response.status, await response.text()]).toEqual([206, '234']);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-disposition')).toBe('inline; filename="a.png"');
  });

  it.each([
    ['another type', (url: string) => url.replace('image%2Fpng', 'text%2Fhtml')],
    ['another object', (url: string) => url.replace('picture.png', 'other.png')],
    ['a later end', (url: string) => url.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=604800')],
    ['no signature', (url: string) => url.replace(/X-Amz-Signature=\w+/, '')],
  ])('is rejected with %s', async (_, change) => {
    const url = (await link(60_000)) ?? '';
    expect(change(url)).not.toBe(url);
    expect((await fetch(change(url))).status).toBe(403);
  });

  it('is rejected after it has expired', async () => {
    expect((await fetch((await link(-5_000)) ?? '')).status).toBe(403);
  });
});
