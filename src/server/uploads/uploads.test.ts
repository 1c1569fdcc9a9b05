import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '#contract/errors.ts';
import { Upload } from '#contract/resources/upload.ts';
import { contractProblem } from '../testing/test-client.ts';
import { createTestService, type TestService } from '../testing/test-service.ts';
import { removeStaleUploads, uploadFolder } from './upload-folder.ts';

const LIMIT_BYTES = 200_000;
let service: TestService;
let url: string;
let png: Buffer;

beforeAll(async () => {
  service = await createTestService({
    config: { max_upload_bytes: LIMIT_BYTES, upload_stall_seconds: 1, upload_timeout_seconds: 2 },
  });
  url = await service.listen();
  png = await sharp({ create: { width: 12, height: 8, channels: 3, background: '#357' } })
    .png()
    .toBuffer();
});
afterAll(() => service.close());
afterEach(async () => {
  expect(await readdir(uploadFolder(service.deps.config)).catch(() => [])).toEqual([]);
});

interface Answered {
  status: number;
  body: string;
}
const codeOf = ({ status, body }: Answered): [number, ErrorCode] => {
  expect(contractProblem('create_upload', status, body)).toBeNull();
  return [status, (JSON.parse(body) as { error: { code: ErrorCode } }).error.code];
};

async function send(form: FormData, key = service.keys.organization): Promise<Answered> {
  const response = await fetch(`${url}/v1/uploads`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${key}` },
  });
  return { status: response.status, body: await response.text() };
}
const formOf = (bytes: Uint8Array, filename = 'picture.png', field = 'file'): FormData => {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(bytes)]), filename);
  return form;
};
async function uploaded(bytes: Uint8Array, filename?: string): Promise<Upload> {
  const answer = await send(formOf(bytes, filename));
  expect([answer.status, contractProblem('create_upload', answer.status, answer.body)]).toEqual([201, null]);
  return Upload.parse(JSON.parse(answer.body));
}
async function stored(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of service.deps.storage.list()) keys.push(key);
  return keys;
}

const BOUNDARY = 'xxxx';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;

/** A request whose body is written by hand. */
function open(headers: Record<string, string | number> = {}): { outgoing: ClientRequest; answer: Promise<Answered> } {
  const outgoing = request(`${url}/v1/uploads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.keys.organization}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...headers,
    },
  });
  const answer = new Promise<Answered>((resolve, reject) => {
    outgoing.on('error', reject).on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
  });
  return { outgoing, answer };
}

describe('201', () => {
  it('says what the file really is, and links to its bytes', async () => {
    const upload = await uploaded(png, 'holiday.mp4');
    expect(upload).toMatchObject({
      type: 'image',
      mime_type: 'image/png',
      filename: 'holiday.mp4',
      width: 12,
      height: 8,
    });
    expect([upload.size_bytes, upload.duration_seconds]).toEqual([png.length, null]);
    const response = await service.app.inject({ url: upload.url.slice(service.deps.config.public_url.length) });
    expect(response.rawPayload.equals(png)).toBe(true);
  });

  it('also with a publishing credential, and of a part without a name', async () => {
    expect((await send(formOf(png), service.keys.publishing)).status).toBe(201);
    const { outgoing, answer } = open();
    outgoing.write(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"\r\n\r\n`);
    outgoing.end(Buffer.concat([png, Buffer.from(TAIL)]));
    expect(Upload.parse(JSON.parse((await answer).body)).filename).toBeNull();
  });

  it.each([
    ['../../etc/passwd.png', 'passwd.png'],
    ['-i.png', '-i.png'],
    ['http:x.png', 'http:x.png'],
    ['a\u202Egnp.png', 'a\u202Egnp.png'],
    ['nul\u0000byte.png', 'nulbyte.png'],
    ['x'.repeat(4_096), 'x'.repeat(255)],
  ])('keeps the name %j as text alone', async (given, shown) => {
    const upload = await uploaded(png, given);
    expect(upload.filename).toBe(shown);
    expect((await stored()).every((key) => /^uploads\/upl_[0-9a-z]{26}\.png$/.test(key))).toBe(true);
  });

  it('takes a file of exactly the limit', async () => {
    const noise = await sharp(randomBytes(3 * 200 * 200), { raw: { width: 200, height: 200, channels: 3 } })
      .png()
      .toBuffer();
    expect(noise.length).toBeLessThan(LIMIT_BYTES);
    // What stands behind a picture's end is refused, so the filling goes into a chunk before it.
    const filled = withTextChunk(noise, LIMIT_BYTES - noise.length - 12);
    expect(filled.length).toBe(LIMIT_BYTES);
    expect((await uploaded(filled)).size_bytes).toBe(LIMIT_BYTES);
  });
});

describe('400 invalid_media_upload', () => {
  it.each([
    ['an empty file', () => Buffer.alloc(0)],
    ['text', () => Buffer.from('hello')],
    ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a drawing that runs scripts', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a playlist', () => Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n')],
    ['half a picture', () => png.subarray(0, png.length / 2)],
  ])('%s', async (_, bytes) => {
    const before = await stored();
    expect(codeOf(await send(formOf(bytes())))).toEqual([400, 'invalid_media_upload']);
    expect(await stored()).toEqual(before);
  });

  it('no file, another field, two files', async () => {
    expect(codeOf(await send(new FormData()))).toEqual([400, 'invalid_media_upload']);
    expect(codeOf(await send(formOf(png, 'a.png', 'picture')))).toEqual([400, 'invalid_media_upload']);
    const two = formOf(png);
    two.append('file', new Blob([new Uint8Array(png)]), 'b.png');
    expect(codeOf(await send(two))).toEqual([400, 'invalid_media_upload']);
  });

  it.each(['application/json', 'multipart/form-data', 'text/plain; boundary=x', ''])(
    'content type %j',
    async (type) => {
      const { outgoing, answer } = open({ 'content-type': type });
      outgoing.end('{}');
      expect(codeOf(await answer)).toEqual([400, 'invalid_media_upload']);
    },
  );

  it('a form that is cut short', async () => {
    const { outgoing, answer } = open();
    outgoing.end(HEAD + 'abc');
    expect(codeOf(await answer)).toEqual([400, 'invalid_media_upload']);
  });
});

describe('413 media_upload_too_large', () => {
  it('one byte more than the limit', async () => {
    expect(codeOf(await send(formOf(Buffer.alloc(LIMIT_BYTES + 1))))).toEqual([413, 'media_upload_too_large']);
  });

  it('declared, before a byte of it is sent', async () => {
    const { outgoing, answer } = open({ 'content-length': 1e12 });
    outgoing.flushHeaders();
    expect(codeOf(await answer)).toEqual([413, 'media_upload_too_large']);
    outgoing.destroy();
  });

  it('endless, soon after the limit, and then the connection ends', async () => {
    const { outgoing, answer } = open();
    outgoing.write(HEAD);
    const piece = Buffer.alloc(16_384);
    let sent_bytes = 0;
    const sending = setInterval(() => {
      if (outgoing.writableNeedDrain) return;
      outgoing.write(piece);
      sent_bytes += piece.length;
    }, 1);
    expect(codeOf(await answer)).toEqual([413, 'media_upload_too_large']);
    clearInterval(sending);
    expect(sent_bytes).toBeLessThan(LIMIT_BYTES + 1_048_576);
    outgoing.destroy();
  });

  it('a form that is large around its file', async () => {
    const form = formOf(png);
    for (let field = 0; field < 40; field += 1) form.append(`note${field}`, 'x'.repeat(60_000));
    expect(codeOf(await send(form))).toEqual([413, 'media_upload_too_large']);
  });
});

describe('408 media_upload_timeout', () => {
  it('stalled', async () => {
    const from_ms = Date.now();
    const { outgoing, answer } = open();
    outgoing.write(`${HEAD}abc`);
    expect(codeOf(await answer)).toEqual([408, 'media_upload_timeout']);
    expect(Math.abs(Date.now() - from_ms - 1_000)).toBeLessThan(1_000);
    outgoing.destroy();
  });

  it('trickling', async () => {
    const from_ms = Date.now();
    const { outgoing, answer } = open();
    outgoing.write(HEAD);
    const trickle = setInterval(() => outgoing.write('x'), 200);
    expect(codeOf(await answer)).toEqual([408, 'media_upload_timeout']);
    clearInterval(trickle);
    expect(Math.abs(Date.now() - from_ms - 2_000)).toBeLessThan(1_000);
    outgoing.destroy();
  });
});

it('leaves nothing of an upload that is broken off', async () => {
  const before = await stored();
  const { outgoing, answer } = open();
  outgoing.write(`${HEAD}abc`);
  await expect.poll(() => readdir(uploadFolder(service.deps.config))).toHaveLength(1);
  outgoing.destroy();
  await expect(answer).rejects.toThrow(/hang up|ECONNRESET|aborted/);
  await expect.poll(() => readdir(uploadFolder(service.deps.config))).toHaveLength(0);
  expect(await stored()).toEqual(before);
});

it('503 media_storage_unavailable while the store is gone, and 201 when it is back', async () => {
  const folder = join(service.deps.config.data_dir, 'media');
  await rename(folder, `${folder}-away`);
  expect(codeOf(await send(formOf(png)))).toEqual([503, 'media_storage_unavailable']);
  expect((await service.app.inject({ url: '/readyz' })).statusCode).toBe(503);
  await rename(`${folder}-away`, folder);
  expect((await send(formOf(png))).status).toBe(201);
  expect((await service.app.inject({ url: '/readyz' })).statusCode).toBe(200);
});

it('removes at the start what a killed process left half received', async () => {
  const folder = uploadFolder(service.deps.config);
  await writeFile(join(folder, 'left'), 'x');
  expect(await removeStaleUploads(service.deps.config, new Date(0))).toBe(0);
  expect(await removeStaleUploads(service.deps.config, new Date(Date.now() + 1_000))).toBe(1);
  await rm(join(folder, 'left'), { force: true });
});

describe('the list', () => {
  it('is newest first, page by page, filtered, and of the own organization alone', async () => {
    const { key } = await service.addOrganization();
    const made: string[] = [];
    for (let upload = 0; upload < 5; upload += 1) {
      made.unshift((JSON.parse((await send(formOf(png), key)).body) as Upload).id);
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await service.call('list_uploads', { key, query: { limit: 2, cursor } });
      expect(body.has_more).toBe(body.next_cursor !== null);
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.next_cursor ?? '';
    } while (cursor !== '');
    expect(seen).toEqual(made);
    expect((await service.call('list_uploads', { key, query: { type: 'video' } })).body.data).toEqual([]);
    const { body: first } = await service.call('list_uploads', { key, query: { limit: 2 } });
    const foreign = await service.refuse('list_uploads', { query: { cursor: first.next_cursor ?? '' } });
    const unknown = await service.refuse('list_uploads', { query: { cursor: 'x' } });
    expect([foreign.status, foreign.error.message]).toEqual([400, unknown.error.message]);
  });

  it('204: removed, with its file and its links; 404 for one of another organization', async () => {
    const upload = await uploaded(png);
    const params = { upload_id: upload.id };
    const { key } = await service.addOrganization();
    expect((await service.refuse('delete_upload', { key, params })).status).toBe(404);
    expect((await service.call('delete_upload', { params })).status).toBe(204);
    expect((await service.refuse('delete_upload', { params })).status).toBe(404);
    expect((await stored()).some((file) => file.includes(upload.id))).toBe(false);
    expect(
      (await service.app.inject({ url: upload.url.slice(service.deps.config.public_url.length) })).statusCode,
    ).toBe(404);
  });
});

/** A PNG made longer by a private chunk before its end. */
function withTextChunk(bytes: Buffer, length: number): Buffer {
  const at = bytes.length - 12;
  const chunk = Buffer.alloc(length + 12);
  chunk.writeUInt32BE(length, 0);
  chunk.write('prVt', 4, 'latin1');
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + length)), 8 + length);
  return Buffer.concat([bytes.subarray(0, at), chunk, bytes.subarray(at)]);
}
