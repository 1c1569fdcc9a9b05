import { execFileSync } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { RESUMABLE_UPLOADS_PATH } from '#contract/resources/upload.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { canMount } from '#server/app/testing/can-mount.ts';
import { resumableFolder } from './resumable/find-resumable.ts';
import { sweepResumable } from './resumable/sweep-resumable.ts';
import { TUS_BODY_HEADERS, createTusFixture } from './testing/tus-fixture.ts';
import {
  statusAndCode,
  createUploadFixture,
  createUploadForm,
  FORM_HEAD,
  readErrorMessage,
} from './testing/upload-fixture.ts';
import { uploadFolder } from './upload-folder.ts';

const bench = createUploadFixture({
  engines: [createScriptedEngine()],
  config: { maxUploadBytes: 40_000_000, uploadTimeoutSeconds: 60, uploadStallSeconds: 60, minFreeBytes: 0 },
});
const tus = createTusFixture(() => ({
  url: bench.url(),
  key: bench.service().keys.organization,
  service: bench.service(),
}));
const REFUSED = { status: 503, code: 'media_storage_unavailable' };
const order = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'a lighthouse' } };

const setFloor = (bytes: number): void => {
  bench.service().deps.config.minFreeBytes = bytes;
};
afterEach(() => setFloor(0));

describe('below MIN_FREE_BYTES', () => {
  it('rejects direct uploads with a reason and Retry-After', async () => {
    const before = await bench.storedKeys();
    setFloor(2 ** 49);
    const answer = await bench.send(createUploadForm(bench.png()));
    expect(statusAndCode(answer)).toEqual([REFUSED.status, REFUSED.code]);
    expect(readErrorMessage(answer)).toMatch(/low on disk space.*try again later/is);
    expect([await bench.listReceiving(), await bench.storedKeys()]).toEqual([[], before]);
  });

  it('rejects resumable uploads and lets them continue once there is space', async () => {
    const path = await tus.createUpload(bench.png().length);
    await tus.append(path, 0, bench.png().subarray(0, 40));
    setFloor(2 ** 49);
    const headers = { 'upload-length': bench.png().length };
    expect(await tus.send('POST', RESUMABLE_UPLOADS_PATH, headers)).toMatchObject(REFUSED);
    expect(
      await tus.send('POST', RESUMABLE_UPLOADS_PATH, { ...headers, ...TUS_BODY_HEADERS }, { body: bench.png() }),
    ).toMatchObject(REFUSED);
    expect(await tus.append(path, 40, bench.png().subarray(40))).toMatchObject(REFUSED);
    expect(await tus.listUnfinished()).toEqual([path.split('/').at(-1)]);
    expect(await tus.receivedBytes(path)).toBe(40);
    setFloor(0);
    expect((await tus.append(path, 40, bench.png().subarray(40))).headers.get('upload-id')).toMatch(/^upl_/);
  });

  it('removes a partial upload an hour after it ran out of space', async () => {
    const { deps } = bench.service();
    const path = await tus.createUpload(100);
    await tus.append(path, 0, Buffer.alloc(10));
    setFloor(2 ** 49);
    expect(await tus.append(path, 10, Buffer.alloc(10))).toMatchObject(REFUSED);
    deps.clock.advance(3_600_001);
    expect((await tus.send('HEAD', path)).status).toBe(404);
    expect(await sweepResumable(deps)).toBe(1);
    expect(await tus.listUnfinished()).toEqual([]);
  });

  it('still creates generations and is ready', async () => {
    setFloor(2 ** 49);
    const created = await bench.service().call('create_generation', { body: order });
    expect([created.status, created.body.status]).toEqual([201, 'queued']);
    expect((await bench.service().app.inject({ url: '/readyz' })).statusCode).toBe(200);
  });
});

const DISK_BYTES = 32 * 1_048_576;
const FLOOR_BYTES = 16 * 1_048_576;

describe.skipIf(!canMount)('on a nearly full disk (needs rights to mount)', () => {
  async function onSmallDisk(work: (freeBytes: () => Promise<number>) => Promise<void>): Promise<void> {
    const { config } = bench.service().deps;
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', config.mediaDir]);
    try {
      const media = ['objects', 'tmp'].map((name) => join(config.mediaDir, 'media', name));
      for (const folder of [...media, uploadFolder(config), resumableFolder(config)])
        await mkdir(folder, { recursive: true });
      setFloor(FLOOR_BYTES);
      await work(async () => {
        const { bavail, bsize } = await statfs(config.mediaDir);
        return bavail * bsize;
      });
    } finally {
      execFileSync('umount', [config.mediaDir]);
    }
  }

  it('rejects a declared length that does not fit before writing a byte', () =>
    onSmallDisk(async (freeBytes) => {
      const before = await freeBytes();
      const { outgoing, answer } = bench.openForm({ 'content-length': 20_000_000 });
      outgoing.write(FORM_HEAD);
      expect(statusAndCode(await answer)).toEqual([REFUSED.status, REFUSED.code]);
      outgoing.destroy();
      expect(await tus.send('POST', RESUMABLE_UPLOADS_PATH, { 'upload-length': 20_000_000 })).toMatchObject(REFUSED);
      expect(await freeBytes()).toBe(before);
    }));

  it('aborts an undeclared length at the limit and keeps nothing', () =>
    onSmallDisk(async (freeBytes) => {
      const before = await freeBytes();
      const { outgoing, answer } = bench.openForm({ 'transfer-encoding': 'chunked' });
      outgoing.write(FORM_HEAD);
      outgoing.write(Buffer.alloc(30_000_000));
      expect(statusAndCode(await answer)).toEqual([REFUSED.status, REFUSED.code]);
      outgoing.destroy();
      await expect.poll(bench.listReceiving).toEqual([]);
      expect(await freeBytes()).toBe(before);
    }));

  it('rejects a chunk of a resumable upload that does not fit', () =>
    onSmallDisk(async (freeBytes) => {
      const { headers } = await tus.send('POST', RESUMABLE_UPLOADS_PATH, { 'upload-defer-length': 1 });
      const path = headers.get('location') ?? '';
      await tus.append(path, 0, Buffer.alloc(1_000_000));
      const before = await freeBytes();
      expect(await tus.append(path, 1_000_000, Buffer.alloc(20_000_000))).toMatchObject(REFUSED);
      const streamed = await fetch(bench.url() + path, {
        method: 'PATCH',
        headers: {
          ...TUS_BODY_HEADERS,
          authorization: `Bearer ${bench.service().keys.organization}`,
          'tus-resumable': '1.0.0',
          'upload-offset': '1000000',
        },
        body: new Blob([new Uint8Array(30_000_000)]).stream(),
        duplex: 'half',
      } as RequestInit);
      expect([streamed.status, await streamed.json()]).toMatchObject([503, { error: { code: REFUSED.code } }]);
      expect(await tus.receivedBytes(path)).toBe(1_000_000);
      expect(await freeBytes()).toBe(before);
      await tus.send('DELETE', path);
    }));
});
