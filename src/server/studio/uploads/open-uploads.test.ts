import { afterEach, describe, expect, it } from 'vitest';
import { RESUMABLE_UPLOADS_PATH } from '#contract/resources/upload.ts';
import { createTusFixture } from './testing/tus-fixture.ts';
import {
  statusAndCode,
  createUploadFixture,
  createUploadForm,
  FORM_HEAD,
  FORM_TAIL,
  UPLOAD_LIMIT_BYTES,
} from './testing/upload-fixture.ts';

const MOST = 3;
const bench = createUploadFixture({
  config: {
    maxOpenUploads: MOST,
    maxOpenUploadBytes: 2 * UPLOAD_LIMIT_BYTES,
    uploadStallSeconds: 60,
    uploadTimeoutSeconds: 60,
  },
});
const tus = createTusFixture(() => ({
  url: bench.url(),
  key: bench.service().keys.publishing,
  service: bench.service(),
}));
const TOO_MANY = { status: 429, code: 'rate_limit_exceeded' };
const refuse = (length: number) => tus.send('POST', RESUMABLE_UPLOADS_PATH, { 'upload-length': length });

const opened: string[] = [];
const begin = async (length: number) => {
  const path = await tus.createUpload(length);
  opened.push(path);
  return path;
};
afterEach(async () => {
  for (const path of opened.splice(0)) await tus.send('DELETE', path);
});

describe('429 rate_limit_exceeded', () => {
  it('for one unfinished resumable upload too many, until one is completed', async () => {
    const path = await begin(bench.png().length);
    for (let count = 1; count < MOST; count += 1) await begin(100);
    expect(await refuse(100)).toMatchObject(TOO_MANY);
    expect((await tus.append(path, 0, bench.png())).headers.get('upload-id')).toMatch(/^upl_/);
    await begin(100);
    expect(await refuse(100)).toMatchObject(TOO_MANY);
  });

  it('for too many declared bytes, until an upload is deleted', async () => {
    const path = await begin(UPLOAD_LIMIT_BYTES);
    await begin(UPLOAD_LIMIT_BYTES);
    expect(await refuse(1)).toMatchObject(TOO_MANY);
    await tus.send('DELETE', path);
    await begin(UPLOAD_LIMIT_BYTES);
  });

  it('for an upload of unknown length that may exceed the remaining bytes', async () => {
    await begin(UPLOAD_LIMIT_BYTES + 1 - 100_001);
    await begin(UPLOAD_LIMIT_BYTES);
    expect(await tus.send('POST', RESUMABLE_UPLOADS_PATH, { 'upload-defer-length': 1 })).toMatchObject(TOO_MANY);
  });

  it('for concurrent uploads above the limit', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => refuse(100)));
    const accepted = responses.filter(({ status }) => status === 201);
    opened.push(...accepted.map(({ headers }) => headers.get('location') ?? ''));
    expect(accepted).toHaveLength(MOST);
    expect(responses.filter(({ code }) => code === TOO_MANY.code)).toHaveLength(20 - MOST);
  });

  it('for direct uploads while others of the same key arrive, but not for another key', async () => {
    const { keys } = bench.service();
    const arriving = Array.from({ length: MOST }, () => bench.openForm({ 'content-length': 10_000 }));
    for (const { outgoing } of arriving) outgoing.write(FORM_HEAD);
    await expect.poll(bench.listReceiving).toHaveLength(MOST);
    expect(statusAndCode(await bench.send(createUploadForm(bench.png())))).toEqual([TOO_MANY.status, TOO_MANY.code]);
    expect(
      await tus.send('POST', RESUMABLE_UPLOADS_PATH, { 'upload-length': 9 }, { key: keys.organization }),
    ).toMatchObject(TOO_MANY);
    await bench.upload(bench.png(), 'other.png', keys.member);
    for (const { outgoing, answer } of arriving) {
      outgoing.destroy();
      await expect(answer).rejects.toThrow(/hang up|ECONNRESET|aborted/);
    }
    await expect.poll(bench.listReceiving).toEqual([]);
    await bench.upload(bench.png());
  });
});

it('does not count a rejected upload', async () => {
  for (let count = 0; count <= MOST; count += 1) {
    const { outgoing, answer } = bench.openForm({ 'transfer-encoding': 'chunked' });
    outgoing.end(`${FORM_HEAD}no picture${FORM_TAIL}`);
    expect(statusAndCode(await answer)).toEqual([400, 'invalid_media_upload']);
  }
  await bench.upload(bench.png());
});

it('does not count an expired upload', async () => {
  for (let count = 0; count < MOST; count += 1) await begin(100);
  bench.service().deps.clock.advance(24 * 3_600_000);
  await begin(100);
});
