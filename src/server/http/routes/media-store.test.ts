import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import type { ServicePool } from '#server/platform/net/service-pool.ts';
import { createS3Storage } from '#server/platform/storage/s3-storage.ts';
import { type FakeS3Server, startFakeS3Server } from '#server/platform/storage/testing/fake-s3-server.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

let server: FakeS3Server;
let pool: ServicePool;
let large: Buffer;
let small: Buffer;

beforeAll(async () => {
  server = await startFakeS3Server();
  pool = createFetcher().createPool(server.settings.endpoint);
  const noise = { raw: { width: 400, height: 300, channels: 3 as const } };
  large = await sharp(randomBytes(400 * 300 * 3), noise)
    .png()
    .toBuffer();
  small = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#246' } })
    .png()
    .toBuffer();
});
afterAll(async () => {
  await pool.close();
  await server.close();
});

async function upload(service: TestService, bytes: Buffer): Promise<Response> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'Möwe.png');
  const address = service.app.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const headers = { authorization: `Bearer ${service.keys.organization}` };
  return fetch(`http://127.0.0.1:${port}/v1/uploads`, { method: 'POST', headers, body: form });
}

async function linkTo(service: TestService, bytes: Buffer): Promise<string> {
  const { url } = (await (await upload(service, bytes)).json()) as { url: string };
  return url.slice(service.deps.config.publicUrl.length);
}

describe.each(['stream', 'presigned'] as const)('with an object store, links %s', (links) => {
  let service: TestService;
  beforeAll(async () => {
    const clock = createTestClock();
    service = await createTestService({ clock, storage: createS3Storage({ ...server.settings, links }, pool, 0) });
    await service.listen();
  });
  beforeEach(() => {
    server.intercept = null;
  });
  afterAll(() => service.close());

  it('sends small media itself with its own headers', async () => {
    const response = await service.app.inject({ url: await linkTo(service, small) });
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload.equals(small)).toBe(true);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  });

  it('serves the whole file or a range to anyone with the link, with its size', async () => {
    const link = await linkTo(service, large);
    const whole = await follow(service, link, {});
    expect(whole.equals(large)).toBe(true);
    const part = await follow(service, link, { range: 'bytes=1000-1999' });
    expect(part.equals(large.subarray(1_000, 2_000))).toBe(true);
    const head = await service.app.inject({ method: 'HEAD', url: link });
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(large.length)]);
  });

  it('404 for a changed or expired link, whatever the store responds', async () => {
    const link = await linkTo(service, large);
    expect((await service.app.inject({ url: link.replace(/sig=.{4}/, 'sig=AAAA') })).statusCode).toBe(404);
    service.deps.clock.advance(26 * 3_600_000);
    expect((await service.app.inject({ url: link })).statusCode).toBe(404);
    service.deps.clock.advance(-26 * 3_600_000);
  });

  it('503 media_storage_unavailable while the store is unavailable, and recovers afterwards', async () => {
    const link = await linkTo(service, small);
    await server.stop();
    const refused = await upload(service, small);
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { error: { code: 'media_storage_unavailable' } },
    ]);
    const unread = await service.app.inject({ url: link });
    expect([unread.statusCode, unread.json()]).toMatchObject([503, { error: { code: 'media_storage_unavailable' } }]);
    const ready = await service.app.inject({ url: '/readyz' });
    expect([ready.statusCode, ready.json()]).toMatchObject([503, { checks: { storage: 'unavailable' } }]);
    await server.start();
    service.deps.clock.advance(1_000);
    expect((await upload(service, small)).status).toBe(201);
    expect((await service.app.inject({ url: link })).statusCode).toBe(200);
    expect((await service.app.inject({ url: '/readyz' })).statusCode).toBe(200);
  });

  if (links === 'presigned')
    it('sends on to the store for large media, under the type and name they have', async () => {
      const link = await linkTo(service, large);
      const sent = await service.app.inject({ url: `${link}&download=1` });
      expect(sent.statusCode).toBe(302);
      expect(sent.headers['cache-control']).toMatch(/^private, max-age=\d{1,3}$/);
      const again = await service.app.inject({ url: `${link}&download=1` });
      expect(again.headers.location).toBe(sent.headers.location);
      const { headers } = await fetch(String(sent.headers.location));
      expect(headers.get('content-type')).toBe('image/png');
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename="M_we.png"; filename\*=UTF-8''M%C3%B6we.png$/,
      );
    });
});

async function follow({ app }: TestService, url: string, headers: Record<string, string>): Promise<Buffer> {
  const response = await app.inject({ url, headers });
  if (response.statusCode !== 302) return response.rawPayload;
  return Buffer.from(await (await fetch(String(response.headers.location), { headers })).arrayBuffer());
}
