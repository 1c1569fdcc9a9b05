import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { Upload } from '#contract/resources/upload.ts';
import { createUploadFixture, FORM_TAIL, UPLOAD_LIMIT_BYTES } from './testing/upload-fixture.ts';

const bench = createUploadFixture();

describe('201', () => {
  it('returns the probed facts and a link to the bytes', async () => {
    const { app, deps } = bench.service();
    const upload = await bench.upload(bench.png(), 'holiday.mp4');
    const expected = { type: 'image', mime_type: 'image/png', filename: 'holiday.mp4', width: 12, height: 8 };
    expect(upload).toMatchObject(expected);
    expect([upload.size_bytes, upload.duration_seconds]).toEqual([bench.png().length, null]);
    const response = await app.inject({ url: upload.url.slice(deps.config.publicUrl.length) });
    expect(response.rawPayload.equals(bench.png())).toBe(true);
    expect(response.headers['content-type']).toBe('image/png');
  });

  it('for a part without a file name', async () => {
    const { outgoing, answer } = bench.openForm();
    outgoing.write('--xxxx\r\nContent-Disposition: form-data; name="file"\r\n\r\n');
    outgoing.end(Buffer.concat([bench.png(), Buffer.from(FORM_TAIL)]));
    expect(Upload.parse(JSON.parse((await answer).body)).filename).toBeNull();
  });

  it('for a publishing credential, which allows nothing else', async () => {
    const { keys, callError } = bench.service();
    const { id } = await bench.upload(bench.png(), 'a.png', keys.publishing);
    const key = keys.publishing;
    expect((await callError('list_uploads', { key })).status).toBe(401);
    expect((await callError('delete_upload', { key, params: { upload_id: id } })).status).toBe(401);
    expect((await callError('list_generations', { key })).status).toBe(401);
  });

  it.each([
    ['../../etc/passwd.png', 'passwd.png'],
    ['..\\..\\boot.png', 'boot.png'],
    ['-i.png', '-i.png'],
    ['http:x.png', 'http:x.png'],
    ['a\u202Egnp.png', 'a\u202Egnp.png'],
    ['nul\u0000byte.png', 'nulbyte.png'],
    ['a\r\nX-Injected: 1.png', 'a%0D%0AX-Injected: 1.png'],
    ['x'.repeat(4_096), 'x'.repeat(255)],
    ['..', null],
  ])('stores the file name %j as display text', async (given, shown) => {
    const { app, deps } = bench.service();
    const upload = await bench.upload(bench.png(), given);
    expect(upload.filename).toBe(shown);
    expect(await bench.storedKeys()).toSatisfy((keys: string[]) =>
      keys.every((key) => /^uploads\/upl_[0-9a-z]{26}\.png$/.test(key)),
    );
    const { headers } = await app.inject({ url: `${upload.url.slice(deps.config.publicUrl.length)}&download=1` });
    expect(headers['x-injected']).toBeUndefined();
  });

  it('accepts a file of exactly the size limit', async () => {
    const noise = await sharp(randomBytes(3 * 200 * 200), { raw: { width: 200, height: 200, channels: 3 } })
      .png()
      .toBuffer();
    expect(noise.length).toBeLessThan(UPLOAD_LIMIT_BYTES);
    // Data after an image's end are rejected, so the padding goes into a chunk before it.
    const filled = withTextChunk(noise, UPLOAD_LIMIT_BYTES - noise.length - 12);
    expect(filled.length).toBe(UPLOAD_LIMIT_BYTES);
    expect((await bench.upload(filled)).size_bytes).toBe(UPLOAD_LIMIT_BYTES);
  });
});

describe('the list', () => {
  it('returns filtered pages of the own organization, newest first', async () => {
    const service = bench.service();
    const { key } = await service.addOrganization();
    const uploaded: string[] = [];
    for (let upload = 0; upload < 5; upload += 1) uploaded.unshift((await bench.upload(bench.png(), 'a.png', key)).id);
    const listed: string[] = [];
    let cursor = '';
    do {
      const { body } = await service.call('list_uploads', { key, query: { limit: 2, cursor } });
      expect(body.has_more).toBe(body.next_cursor !== null);
      listed.push(...body.data.map(({ id }) => id));
      cursor = body.next_cursor ?? '';
    } while (cursor !== '');
    expect(listed).toEqual(uploaded);
    expect((await service.call('list_uploads', { key, query: { type: 'video' } })).body.data).toEqual([]);
    const { body: first } = await service.call('list_uploads', { key, query: { limit: 2 } });
    const foreign = await service.callError('list_uploads', { query: { cursor: first.next_cursor ?? '' } });
    const unknown = await service.callError('list_uploads', { query: { cursor: 'x' } });
    expect([foreign.status, foreign.error.message]).toEqual([400, unknown.error.message]);
  });

  it('returns the same 404 for another organization as for an unknown upload', async () => {
    const service = bench.service();
    const { key } = await service.addOrganization();
    const { id } = await bench.upload(bench.png(), 'mine.png');
    for (const name of ['get_upload', 'delete_upload'] as const) {
      const answerOf = async (upload_id: string) => {
        const { status, error } = await service.callError(name, { key, params: { upload_id } });
        return { status, error: { ...error, request_id: '' } };
      };
      expect(await answerOf(id)).toEqual(await answerOf('upl_01m7y6v0gyeg6ksk7hyezzk3qs'));
    }
    expect((await service.call('get_upload', { params: { upload_id: id } })).body.used_by.count).toBe(0);
    expect((await service.call('list_uploads', { key, query: { q: 'mine' } })).body.data).toEqual([]);
    expect((await service.call('list_uploads', { query: { q: 'MINE' } })).body.data).toHaveLength(1);
    expect((await service.call('list_uploads', { query: { q: 'm%e' } })).body.data).toEqual([]);
  });

  it('returns 204 and removes the file and its links; 404 for another organization', async () => {
    const service = bench.service();
    const { key } = await service.addOrganization();
    const upload = await bench.upload(bench.png(), 'a.png', key);
    const options = { key, params: { upload_id: upload.id } };
    expect((await service.callError('delete_upload', { params: options.params })).status).toBe(404);
    expect((await service.call('delete_upload', options)).status).toBe(204);
    expect((await service.callError('delete_upload', options)).status).toBe(404);
    expect((await bench.storedKeys()).some((file) => file.includes(upload.id))).toBe(false);
    const link = upload.url.slice(service.deps.config.publicUrl.length);
    expect((await service.app.inject({ url: link })).statusCode).toBe(404);
  });
});

function withTextChunk(bytes: Buffer, length: number): Buffer {
  const at = bytes.length - 12;
  const chunk = Buffer.alloc(length + 12);
  chunk.writeUInt32BE(length, 0);
  chunk.write('prVt', 4, 'latin1');
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + length)), 8 + length);
  return Buffer.concat([bytes.subarray(0, at), chunk, bytes.subarray(at)]);
}
