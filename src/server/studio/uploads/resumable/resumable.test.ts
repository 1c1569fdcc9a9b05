import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { RESUMABLE_UPLOADS_PATH } from '#contract/resources/upload.ts';
import { createPngBomb } from '#server/platform/media/testing/image-bomb-fixture.ts';
import { TUS_BODY_HEADERS, createTusFixture, encodeTusMetadata } from '#server/studio/uploads/testing/tus-fixture.ts';
import { createUploadFixture, createPng } from '#server/studio/uploads/testing/upload-fixture.ts';
import { sweepResumable } from './sweep-resumable.ts';

const ORIGIN = 'https://pages.example';
const bench = createUploadFixture({ config: { uploadTimeoutSeconds: 60, allowedOrigins: [ORIGIN] } });
const tus = createTusFixture(() => ({
  url: bench.url(),
  key: bench.service().keys.organization,
  service: bench.service(),
}));
const { send, createUpload, append, readOffset, sendPartially, receivedBytes, listUnfinished } = tus;
const HOUR_MS = 3_600_000;

let uploadCount = 0;
const newPicture = () => createPng(16, (uploadCount += 1), '#573');

describe('a resumable upload', () => {
  it('arrives in chunks and becomes an ordinary upload', async () => {
    const bytes = await newPicture();
    const path = await createUpload(bytes.length, { name: 'holiday.png' });
    expect(path).toMatch(/^\/v1\/uploads\/resumable\/[0-9a-f-]{36}$/);
    const first = await append(path, 0, bytes.subarray(0, 40));
    expect([first.status, first.headers.get('upload-offset'), first.headers.get('upload-id')]).toEqual([
      204,
      '40',
      null,
    ]);
    const { deps } = bench.service();
    const untilMs = Date.parse(first.headers.get('upload-expires') ?? '');
    expect(Math.abs(untilMs - deps.clock.now().getTime() - 24 * HOUR_MS)).toBeLessThan(1_000);
    const head = await send('HEAD', path);
    expect(head.status).toBe(200);
    expect(head.headers.get('upload-length')).toBe(String(bytes.length));
    expect(head.headers.get('upload-metadata')).toBe(encodeTusMetadata('holiday.png'));
    expect(head.headers.get('cache-control')).toBe('no-store');
    const last = await append(path, 40, bytes.subarray(40));
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, String(bytes.length)]);
    const upload_id = last.headers.get('upload-id') ?? '';
    const { body: upload } = await bench.service().call('get_upload', { params: { upload_id } });
    expect(upload).toMatchObject({ filename: 'holiday.png', mime_type: 'image/png', size_bytes: bytes.length });
    const {
      app,
      deps: { config },
    } = bench.service();
    const { rawPayload } = await app.inject({ url: upload.url.slice(config.publicUrl.length) });
    expect(rawPayload.equals(bytes)).toBe(true);
    expect(await listUnfinished()).toEqual([]);
  });

  it('returns its upload id again after completion', async () => {
    const bytes = await newPicture();
    const path = await createUpload(bytes.length);
    const response = (await append(path, 0, bytes)).headers.get('upload-id');
    const { headers } = await send('HEAD', path);
    expect([headers.get('upload-id'), headers.get('upload-offset')]).toEqual([response, String(bytes.length)]);
    const again = await send('PATCH', path, {
      ...TUS_BODY_HEADERS,
      'upload-offset': bytes.length,
      'content-length': 0,
    });
    expect([again.status, again.headers.get('upload-id')]).toEqual([204, response]);
    expect((await append(path, bytes.length, Buffer.from('more'))).code).toBe('upload_offset_conflict');
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await bench.service().call('get_upload', { params: { upload_id: response ?? '' } })).status).toBe(200);
  });

  it('accepts first or all bytes on creation', async () => {
    const bytes = await newPicture();
    const headers = { ...TUS_BODY_HEADERS, 'upload-length': bytes.length };
    const some = await send('POST', RESUMABLE_UPLOADS_PATH, headers, { body: bytes.subarray(0, 50) });
    expect([some.status, some.headers.get('upload-offset')]).toEqual([201, '50']);
    const rest = await append(some.headers.get('location') ?? '', 50, bytes.subarray(50));
    expect(rest.headers.get('upload-id')).toMatch(/^upl_/);
    const all = await send('POST', RESUMABLE_UPLOADS_PATH, headers, { body: bytes });
    expect([all.status, all.headers.get('upload-id')?.slice(0, 4)]).toEqual([201, 'upl_']);
  });

  it('accepts a deferred length', async () => {
    const bytes = await newPicture();
    const { headers } = await send('POST', RESUMABLE_UPLOADS_PATH, { 'upload-defer-length': 1 });
    const path = headers.get('location') ?? '';
    expect((await append(path, 0, bytes.subarray(0, 30))).status).toBe(204);
    expect((await send('HEAD', path)).headers.get('upload-defer-length')).toBe('1');
    const length = { ...TUS_BODY_HEADERS, 'upload-offset': 30, 'upload-length': bytes.length };
    const last = await send('PATCH', path, length, { body: bytes.subarray(30) });
    expect(last.headers.get('upload-id')).toMatch(/^upl_/);
  });

  it('continues after a lost connection with all received bytes', async () => {
    const bytes = await newPicture();
    const path = await createUpload(bytes.length);
    const broken = sendPartially(path, 0, bytes.subarray(0, 33), bytes.length);
    await expect.poll(() => receivedBytes(path)).toBe(33);
    broken.destroy();
    expect(await readOffset(path)).toBe(33);
    expect((await append(path, 33, bytes.subarray(33))).headers.get('upload-id')).toMatch(/^upl_/);
  });

  it('continues while a dead connection still holds the lock', async () => {
    const bytes = await newPicture();
    const path = await createUpload(bytes.length);
    const dead = sendPartially(path, 0, bytes.subarray(0, 33), bytes.length);
    await expect.poll(() => receivedBytes(path)).toBe(33);
    expect(await readOffset(path)).toBe(33);
    expect((await append(path, 33, bytes.subarray(33))).status).toBe(204);
    dead.destroy();
  });

  it('returns the capabilities without a key', async () => {
    const response = await fetch(bench.url() + RESUMABLE_UPLOADS_PATH, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'tus-version': '1.0.0',
      'tus-max-size': '200000',
      'tus-extension': expect.stringContaining('creation,creation-with-upload,creation-defer-length,termination'),
    });
  });

  it('accepts allowed origins only', async () => {
    const { app } = bench.service();
    const preflight = (origin: string) =>
      app.inject({
        method: 'OPTIONS',
        url: `${RESUMABLE_UPLOADS_PATH}/x`,
        headers: { origin, 'access-control-request-method': 'PATCH' },
      });
    const { headers } = await preflight(ORIGIN);
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(headers['access-control-allow-methods']).toContain('PATCH');
    expect(headers['access-control-allow-headers']).toContain('Upload-Offset');
    expect((await preflight('https://other.example')).headers['access-control-allow-origin']).toBeUndefined();
    const response = await app.inject({ method: 'OPTIONS', url: RESUMABLE_UPLOADS_PATH, headers: { origin: ORIGIN } });
    expect(String(response.headers['access-control-expose-headers'])).toMatch(/upload-id/i);
  });

  it('can be deleted', async () => {
    const path = await createUpload(100);
    await append(path, 0, Buffer.alloc(10));
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('HEAD', path)).status).toBe(404);
    expect(await listUnfinished()).toEqual([]);
  });
});

describe('a rejected request', () => {
  it('returns 400 invalid_media_upload for an unsupported file and discards it', async () => {
    const before = await bench.storedKeys();
    const page = Buffer.from('<!doctype html><script>alert(1)</script>');
    for (const bytes of [page, createPngBomb(16_000), (await newPicture()).subarray(0, 60)]) {
      const path = await createUpload(bytes.length, { name: 'a.png' });
      expect(await append(path, 0, bytes)).toMatchObject({ status: 400, code: 'invalid_media_upload' });
      expect((await send('HEAD', path)).status).toBe(404);
    }
    expect((await send('POST', RESUMABLE_UPLOADS_PATH, { 'upload-length': 0 })).code).toBe('invalid_media_upload');
    expect([await listUnfinished(), await bench.storedKeys()]).toEqual([[], before]);
  });

  it('returns 413 above the limit, on creation and during the transfer', async () => {
    const begun = await send('POST', RESUMABLE_UPLOADS_PATH, { 'upload-length': 200_001 });
    expect(begun).toMatchObject({ status: 413, code: 'media_upload_too_large' });
    const path = await createUpload(10);
    expect(await append(path, 0, Buffer.alloc(11))).toMatchObject({ status: 413, code: 'media_upload_too_large' });
    const { headers } = await send('POST', RESUMABLE_UPLOADS_PATH, { 'upload-defer-length': 1 });
    const open = headers.get('location') ?? '';
    expect((await append(open, 0, Buffer.alloc(200_001))).status).toBe(413);
    expect(await readOffset(open)).toBeLessThanOrEqual(200_000);
    for (const one of [path, open]) await send('DELETE', one);
  });

  it('returns 408 for a stalled request, which can be continued', async ({ onTestFinished }) => {
    const bytes = await newPicture();
    const path = await createUpload(bytes.length);
    const { config } = bench.service().deps;
    const { uploadStallSeconds } = config;
    config.uploadStallSeconds = 1;
    onTestFinished(() => void Object.assign(config, { uploadStallSeconds }));
    const stalled = sendPartially(path, 0, bytes.subarray(0, 20), bytes.length);
    const response = await new Promise<IncomingMessage>((resolve) => stalled.once('response', resolve));
    expect([response.statusCode, await text(response)]).toEqual([408, expect.stringContaining('stalled')]);
    stalled.destroy();
    expect((await append(path, 20, bytes.subarray(20))).headers.get('upload-id')).toMatch(/^upl_/);
  });

  it('returns 409 for a wrong offset, 412 without the version, 400 for an invalid tus request', async () => {
    const path = await createUpload(100);
    expect(await append(path, 7, Buffer.alloc(3))).toMatchObject({ status: 409, code: 'upload_offset_conflict' });
    const old = await send('POST', RESUMABLE_UPLOADS_PATH, { 'upload-length': 5, 'tus-resumable': '0.2.2' });
    expect(old).toMatchObject({ status: 412, code: 'unsupported_tus_version' });
    expect(old.headers.get('tus-version')).toBe('1.0.0');
    const broken: Record<string, string>[] = [
      { 'upload-length': '-1' },
      {},
      { 'upload-length': '5', 'upload-metadata': 'a b c' },
    ];
    for (const headers of broken) {
      expect(await send('POST', RESUMABLE_UPLOADS_PATH, headers)).toMatchObject({
        status: 400,
        code: 'invalid_media_upload',
      });
    }
    const wrongType = await send(
      'PATCH',
      path,
      { 'upload-offset': 0, 'content-type': 'text/plain' },
      { body: Buffer.alloc(3) },
    );
    expect(wrongType.status).toBe(400);
    await send('DELETE', path);
  });

  it('returns 404 for another organization and unknown paths', async () => {
    const { key } = await bench.service().addOrganization();
    const path = await createUpload(100);
    const unknown = `${RESUMABLE_UPLOADS_PATH}/3f0d7f6e-0000-4000-8000-000000000000`;
    for (const method of ['HEAD', 'PATCH', 'DELETE']) {
      const headers = { ...TUS_BODY_HEADERS, 'upload-offset': 0 };
      const foreign = await send(method, path, headers, { key });
      const none = await send(method, unknown, headers, { key });
      expect([foreign.status, foreign.code]).toEqual([404, method === 'HEAD' ? null : 'not_found']);
      expect([none.status, none.code]).toEqual([foreign.status, foreign.code]);
    }
    for (const id of ['..%2f..%2fa', '%00', 'a.json']) {
      expect((await send('HEAD', `${RESUMABLE_UPLOADS_PATH}/${id}`)).status).toBe(404);
    }
    expect(await readOffset(path)).toBe(0);
    await send('DELETE', path);
  });

  describe('with X-HTTP-Method-Override', () => {
    const override = (method: string, path: string, headers: Record<string, string | number> = {}, body?: Uint8Array) =>
      send('POST', path, { 'x-http-method-override': method, ...headers }, body ? { body } : {});

    it('arrives by POST alone', async () => {
      const bytes = await newPicture();
      const path = await createUpload(bytes.length);
      const patch = { ...TUS_BODY_HEADERS, 'upload-offset': 0 };
      expect((await override('PATCH', path, patch, bytes.subarray(0, 40))).status).toBe(204);
      const head = await override('HEAD', path);
      expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '40']);
      const last = await override('PATCH', path, { ...patch, 'upload-offset': 40 }, bytes.subarray(40));
      expect([last.status, last.headers.get('upload-id')]).toEqual([204, expect.stringMatching(/^upl_/)]);
      expect((await override('HEAD', path)).headers.get('upload-id')).toBe(last.headers.get('upload-id'));
      expect((await override('DELETE', path)).status).toBe(204);
      expect((await override('HEAD', path)).status).toBe(404);
    });

    it('ignores the method of the request, and is discovered without a key', async () => {
      const path = await createUpload(40);
      expect((await send('PATCH', path, { 'x-http-method-override': 'HEAD' })).headers.get('upload-offset')).toBe('0');
      const found = await fetch(bench.url() + path, {
        method: 'POST',
        headers: { 'x-http-method-override': 'OPTIONS' },
      });
      expect([found.status, found.headers.get('tus-version')]).toEqual([204, '1.0.0']);
      expect((await send('HEAD', path, { 'x-http-method-override': 'DELETE' })).status).toBe(204);
      expect((await send('HEAD', path)).status).toBe(404);
    });

    it.each(['POST', 'GET', 'PUT', 'TRACE', 'patch', 'PATCH, DELETE', '', '__proto__', 'PATCH /v1'])(
      'returns 405 for the method “%s”',
      async (method) => {
        const path = await createUpload(40);
        const refused = await override(method, path);
        expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'HEAD, PATCH, DELETE, OPTIONS']);
        expect(await readOffset(path)).toBe(0);
      },
    );

    it('needs the credential that the method needs', async () => {
      const path = await createUpload(40);
      for (const method of ['HEAD', 'PATCH', 'DELETE']) {
        const headers = { 'x-http-method-override': method };
        const anonymous = { ...headers, 'tus-resumable': '1.0.0' };
        expect((await fetch(bench.url() + path, { method: 'POST', headers: anonymous })).status).toBe(401);
        const { key } = await bench.service().addOrganization();
        expect((await send('POST', path, headers, { key })).status).toBe(404);
      }
      expect((await override('PATCH', RESUMABLE_UPLOADS_PATH)).status).toBe(405);
      expect(await readOffset(path)).toBe(0);
      await send('DELETE', path);
    });

    it('means nothing on other routes', async () => {
      const { id } = await bench.upload(await newPicture());
      const headers = {
        authorization: `Bearer ${bench.service().keys.organization}`,
        'x-http-method-override': 'DELETE',
      };
      expect((await fetch(`${bench.url()}/v1/uploads/${id}`, { method: 'POST', headers })).status).toBe(405);
      expect((await fetch(`${bench.url()}/v1/uploads/${id}`, { headers })).status).toBe(200);
    });
  });

  it('returns 401 without a key; a publishing credential accesses its own uploads', async () => {
    const { keys } = bench.service();
    expect((await send('POST', RESUMABLE_UPLOADS_PATH, { 'upload-length': 5 }, { key: 'mgs_org_no' })).status).toBe(
      401,
    );
    const bytes = await newPicture();
    const own = await createUpload(bytes.length, { key: keys.publishing });
    const other = await createUpload(bytes.length);
    expect((await append(other, 0, bytes, keys.publishing)).status).toBe(404);
    expect((await append(own, 0, bytes, keys.publishing)).headers.get('upload-id')).toMatch(/^upl_/);
    await send('DELETE', other);
  });
});

it('expires a day after its creation despite later requests, and its file is swept', async () => {
  const { deps } = bench.service();
  const others = (await listUnfinished()).length;
  const createdMs = deps.clock.now().getTime();
  const path = await createUpload(100);
  const expectExpiry = ({ headers }: { headers: Headers }) =>
    expect(Math.abs(Date.parse(headers.get('upload-expires') ?? '') - createdMs - 24 * HOUR_MS)).toBeLessThan(1_000);
  expectExpiry(await append(path, 0, Buffer.alloc(10)));
  deps.clock.advance(23 * HOUR_MS);
  expect(await sweepResumable(deps)).toBe(0);
  expectExpiry(await send('HEAD', path));
  expectExpiry(await append(path, 10, Buffer.alloc(10)));
  deps.clock.advance(HOUR_MS);
  deps.clock.advance(1);
  expect((await send('HEAD', path)).status).toBe(404);
  expect((await send('HEAD', path)).status).toBe(404);
  expect(await sweepResumable(deps)).toBe(1 + others);
  expect(await listUnfinished()).toEqual([]);
});
