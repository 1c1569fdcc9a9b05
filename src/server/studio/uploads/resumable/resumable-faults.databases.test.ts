import { execFileSync } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '#server/http/create-app.ts';
import { resumableUploads } from '#server/platform/db/schema/upload-schema.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { canMount } from '#server/app/testing/can-mount.ts';
import { createTusFixture, type TusFixture } from '#server/studio/uploads/testing/tus-fixture.ts';
import { createPng } from '#server/studio/uploads/testing/upload-fixture.ts';
import { resumableFolder } from './find-resumable.ts';

let uploadCount = 0;
const newPicture = () => createPng(17, (uploadCount += 1), '#375');

describeOnBothDatabases(
  'a resumable upload',
  () => ({ config: { maxUploadBytes: 4_000_000, minFreeBytes: 0 } }),
  (shared) => {
    let second: FastifyInstance;
    let studio: TestOrganization;
    let here: TusFixture;
    let there: TusFixture;
    beforeAll(async () => {
      studio = await shared.createOrganization('1');
      const service = shared.get();
      second = await createApp(service.deps);
      const benchAt = (url: string) => createTusFixture(() => ({ url, key: studio.key, service }));
      here = benchAt(await service.listen());
      there = benchAt(await second.listen({ port: 0, host: '127.0.0.1' }));
    });
    afterAll(() => second.close());

    const uploadsNamed = async (name: string) =>
      (await studio.call('list_uploads', { query: { q: name } })).body.data.map(({ sha256 }) => sha256);
    const sha256 = async (bytes: Uint8Array) =>
      Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))).toString('hex');

    it('continues in another process', async () => {
      const bytes = await newPicture();
      const path = await here.createUpload(bytes.length, { name: 'moved.png' });
      await here.append(path, 0, bytes.subarray(0, 50));
      expect(await there.readOffset(path)).toBe(50);
      expect((await there.append(path, 50, bytes.subarray(50))).headers.get('upload-id')).toMatch(/^upl_/);
      expect(await uploadsNamed('moved')).toEqual([await sha256(bytes)]);
    });

    it('continues in another process while a dead connection holds the lock', async () => {
      const bytes = await newPicture();
      const path = await here.createUpload(bytes.length);
      const dead = here.sendPartially(path, 0, bytes.subarray(0, 30), bytes.length);
      await expect.poll(() => here.receivedBytes(path)).toBe(30);
      // The test clock stands still, so the lock cannot expire: only a release frees the upload.
      expect(await there.readOffset(path)).toBe(30);
      expect((await there.append(path, 30, bytes.subarray(30))).status).toBe(204);
      dead.destroy();
    });

    it('becomes one upload under concurrent requests', async () => {
      const bytes = await newPicture();
      const path = await here.createUpload(bytes.length, { name: 'crowded.png' });
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? here : there).append(path, 0, bytes)),
      );
      for (const { status } of answers) expect([204, 400, 409, 503]).toContain(status);
      const { headers } = await here.send('HEAD', path);
      expect(headers.get('upload-offset')).toBe(String(bytes.length));
      expect(headers.get('upload-id')).toMatch(/^upl_/);
      expect(await uploadsNamed('crowded')).toEqual([await sha256(bytes)]);
    });

    it('is unlocked soon after the process that held the lock was killed', async () => {
      const { deps } = shared.get();
      const bytes = await newPicture();
      const path = await here.createUpload(bytes.length);
      const id = path.split('/').at(-1) ?? '';
      const lock_expires_at = new Date(deps.clock.now().getTime() + 10_000);
      const killed = { lock_owner: 'a process that was killed', lock_expires_at };
      await deps.db.update(resumableUploads).set(killed).where(eq(resumableUploads.id, id));
      const waiting = here.append(path, 0, bytes);
      setTimeout(() => deps.clock.advance(11_000), 300);
      expect((await waiting).headers.get('upload-id')).toMatch(/^upl_/);
    });

    it('returns 503 while the storage is unavailable and completes on a later HEAD', async () => {
      const folder = join(shared.get().deps.config.dataDir, 'media');
      const bytes = await newPicture();
      const path = await here.createUpload(bytes.length);
      await rename(folder, `${folder}-away`);
      const answer = await here.append(path, 0, bytes);
      expect([answer.status, answer.code]).toEqual([503, 'media_storage_unavailable']);
      await rename(`${folder}-away`, folder);
      expect((await here.send('HEAD', path)).headers.get('upload-id')).toMatch(/^upl_/);
    });

    describe.skipIf(!canMount)('on a full disk (needs rights to mount)', () => {
      it('returns 503, discards the request and continues when there is space again', async () => {
        const folder = resumableFolder(shared.get().deps.config);
        const mount = (options: string) => execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
        mount('size=1m');
        try {
          const bytes = silence(3_000_000);
          const path = await here.createUpload(bytes.length, { name: 'long.wav' });
          await here.append(path, 0, bytes.subarray(0, 100_000));
          const answer = await here.append(path, 100_000, bytes.subarray(100_000));
          expect([answer.status, answer.code]).toEqual([503, 'media_storage_unavailable']);
          expect(await here.receivedBytes(path)).toBe(100_000);
          const head = await here.send('HEAD', path);
          expect(head.headers.get('upload-offset')).toBe('100000');
          const nowMs = shared.get().deps.clock.now().getTime();
          expect(Date.parse(head.headers.get('upload-expires') ?? '') - nowMs).toBeLessThanOrEqual(3_600_000);
          mount('remount,size=8m');
          const last = await here.append(path, 100_000, bytes.subarray(100_000));
          expect(last.headers.get('upload-id')).toMatch(/^upl_/);
          expect(await uploadsNamed('long')).toEqual([await sha256(bytes)]);
        } finally {
          execFileSync('umount', [folder]);
        }
      });
    });
  },
);

function silence(size_bytes: number): Buffer {
  const bytes = Buffer.alloc(size_bytes);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(size_bytes - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(48_000, 24);
  bytes.writeUInt32LE(96_000, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(size_bytes - 44, 40);
  return bytes;
}
