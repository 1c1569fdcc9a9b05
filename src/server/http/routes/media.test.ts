import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploads } from '#server/platform/db/schema/schema.ts';
import { createMediaLink } from '#server/studio/assets/media-links.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

let service: TestService;
let bytes: Buffer;
let path: string;
let storage_key: string;

beforeAll(async () => {
  service = await createTestService();
  bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#735' } })
    .png()
    .toBuffer();
  ({ path, storage_key } = await put('image/png', 'png'));
});
afterAll(() => service.close());

async function put(mime_type: string, extension: string): Promise<{ path: string; storage_key: string }> {
  const { clock, storage, db } = service.deps;
  const now = clock.now();
  const id = createId('upl', now);
  const storage_key = `uploads/${id}.${extension}`;
  async function* source() {
    yield bytes;
  }
  const stored = await storage.put(storage_key, source());
  const names = { organization_id: service.organization_id, created_by: 'key_x', filename: 'Möwe "1".png' };
  await db.insert(uploads).values({ id, ...names, type: 'image', mime_type, storage_key, ...stored, created_at: now });
  return { path: pathOf(id), storage_key };
}
const pathOf = (id: string) => createMediaLink(service.deps, id).url.slice(service.deps.config.publicUrl.length);
const get = (headers: Record<string, string> = {}, url = path) => service.app.inject({ url, headers });

describe('200', () => {
  it('sends the bytes with headers that prevent execution', async () => {
    const response = await get();
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload.equals(bytes)).toBe(true);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(response.headers['content-disposition']).toMatch(/^inline; filename="M_we _1_.png"; filename\*=UTF-8''/);
    expect(response.headers['cache-control']).toMatch(/^private, max-age=\d+, immutable$/);
  });

  it('HEAD sends headers only', async () => {
    const response = await service.app.inject({ method: 'HEAD', url: path });
    expect([response.statusCode, response.payload, response.headers['content-length']]).toEqual([
      200,
      '',
      String(bytes.length),
    ]);
  });

  it('sends an attachment on request, and always for types that may not be shown', async () => {
    expect((await get({}, `${path}&download=1`)).headers['content-disposition']).toMatch(/^attachment;/);
    const other = await put('application/octet-stream', 'bin');
    expect((await get({}, other.path)).headers['content-disposition']).toMatch(/^attachment;/);
  });

  it('is cached no longer than its link is valid', async () => {
    const maxAge = (response: Awaited<ReturnType<typeof get>>) =>
      Number(/max-age=(\d+)/.exec(String(response.headers['cache-control']))?.[1]);
    expect(maxAge(await get())).toBe(86_400);
    service.deps.clock.advance(23 * 3_600_000);
    expect(maxAge(await get())).toBeLessThanOrEqual(2 * 3_600);
    service.deps.clock.advance(-23 * 3_600_000);
  });
});

describe('ranges', () => {
  it('206: a range', async () => {
    const response = await get({ range: 'bytes=10-19' });
    expect(response.statusCode).toBe(206);
    expect(response.headers['content-range']).toBe(`bytes 10-19/${bytes.length}`);
    expect(response.rawPayload.equals(bytes.subarray(10, 20))).toBe(true);
  });

  it('206: a suffix', async () => {
    expect((await get({ range: 'bytes=-5' })).rawPayload.equals(bytes.subarray(-5))).toBe(true);
  });

  it('416: a range outside the file', async () => {
    const response = await get({ range: `bytes=${bytes.length}-` });
    expect([response.statusCode, response.headers['content-range'], response.payload]).toEqual([
      416,
      `bytes */${bytes.length}`,
      '',
    ]);
  });

  it('200: the whole file for a range of another version or for several ranges', async () => {
    expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).statusCode).toBe(200);
    expect((await get({ range: 'bytes=0-1,4-5' })).statusCode).toBe(200);
    const etag = String((await get()).headers.etag);
    expect((await get({ range: 'bytes=0-1', 'if-range': etag })).statusCode).toBe(206);
  });
});

it('304: an unchanged file', async () => {
  const etag = String((await get()).headers.etag);
  const response = await get({ 'if-none-match': etag });
  expect([response.statusCode, response.payload]).toEqual([304, '']);
  expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200);
});

describe('404, as JSON and never as a page', () => {
  const expectGone = async (url: string) => {
    const response = await service.app.inject({ url, headers: { accept: 'text/html' } });
    expect(response.statusCode).toBe(404);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toMatchObject({ error: { code: 'not_found' } });
    return response.json<{ error: { message: string } }>().error.message;
  };

  it.each([
    ['no signature', (url: string) => url.replace(/&sig=.*/, '')],
    ['a changed signature', (url: string) => url.replace(/sig=.{4}/, 'sig=AAAA')],
    ['a later end', (url: string) => url.replace(/expires=\d/, 'expires=9')],
    ['two signatures', (url: string) => `${url}&sig=x`],
    ['another id', (url: string) => url.replace(/upl_.{26}/, 'upl_01m7y6v0gyeg6ksk7hyezzk3qs')],
    ['a path', (url: string) => url.replace(/upl_.{26}/, '..%2f..%2fsecret.key')],
    ['NUL', (url: string) => url.replace(/upl_.{26}/, '%00')],
  ])('%s', async (_, change) => {
    await expectGone(change(path));
  });

  it('the same response for an unknown id and a missing file', async () => {
    const lost = await put('image/png', 'png');
    await service.deps.storage.delete(lost.storage_key);
    const never = await expectGone(pathOf('ast_01m7y6v0gyeg6ksk7hyezzk3qs'));
    expect(await expectGone(lost.path)).toBe(never);
    expect((await service.app.inject({ method: 'HEAD', url: lost.path })).statusCode).toBe(404);
  });

  it('an expired link', async () => {
    service.deps.clock.advance(26 * 3_600_000);
    await expectGone(path);
    service.deps.clock.advance(-26 * 3_600_000);
    expect(await service.deps.storage.stat(storage_key)).not.toBeNull();
  });
});
