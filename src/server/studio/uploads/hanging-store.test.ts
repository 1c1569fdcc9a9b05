import { expect, it } from 'vitest';
import sharp from 'sharp';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createS3Storage } from '#server/platform/storage/s3-storage.ts';
import { startFakeS3Server } from '#server/platform/storage/testing/fake-s3-server.ts';
import { startTcpProxy } from '#server/app/testing/tcp-proxy.ts';
import { createTestService } from '#server/app/testing/test-service.ts';

const LIMIT_MS = 400;
/** Well below the limits of the service, which hold without the short ones. */
const SOON_MS = 10_000;

it('an object store that does not respond makes uploads and links 503 soon, and works again afterwards', async () => {
  const s3 = await startFakeS3Server();
  const proxy = await startTcpProxy(Number(new URL(s3.settings.endpoint).port));
  const settings = { ...s3.settings, endpoint: `http://127.0.0.1:${proxy.port}` };
  const pool = createFetcher().createPool(settings.endpoint, { headersTimeout: LIMIT_MS, bodyTimeout: LIMIT_MS });
  const storage = createS3Storage(settings, pool, 0, LIMIT_MS);
  const service = await createTestService({ storage, config: { s3: settings } });
  const address = await service.listen();
  const upload = async (background: string) => {
    const image = sharp({ create: { width: 12, height: 8, channels: 3, background } });
    const body = new FormData();
    body.set('file', new Blob([await image.png().toBuffer()]), 'a.png');
    const headers = { authorization: `Bearer ${service.keys.organization}` };
    return fetch(`${address}/v1/uploads`, { method: 'POST', headers, body });
  };
  const isReady = async () => {
    service.deps.clock.advance(1_000);
    return (await fetch(`${address}/readyz`)).status === 200;
  };
  try {
    const { url } = (await (await upload('#284')).json()) as { url: string };
    const link = `${address}${url.slice(service.deps.config.publicUrl.length)}`;
    expect((await fetch(link)).status).toBe(200);

    proxy.drop();
    for (const request of [
      () => fetch(link),
      () => fetch(link, { method: 'HEAD' }),
      () => upload('#284'),
      () => upload('#824'),
    ]) {
      const started = performance.now();
      const response = await request();
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('30');
      const text = await response.text();
      if (text !== '') expect(text).toContain('"media_storage_unavailable"');
      expect(performance.now() - started).toBeLessThan(SOON_MS);
    }
    expect(await isReady()).toBe(false);

    proxy.resume();
    expect((await fetch(link)).status).toBe(200);
    expect((await upload('#824')).status).toBe(201);
    expect(await isReady()).toBe(true);
  } finally {
    await service.close();
    await pool.close();
    await proxy.close();
    await s3.close();
  }
});
