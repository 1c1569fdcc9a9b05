import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canMount } from '#server/app/testing/can-mount.ts';
import { statusAndCode, createUploadFixture, createUploadForm } from './testing/upload-fixture.ts';
import { removeStaleUploads, uploadFolder } from './upload-folder.ts';

const bench = createUploadFixture({
  config: { maxUploadBytes: 4_000_000, uploadTimeoutSeconds: 60, minFreeBytes: 0 },
});
const AWAY = [503, 'media_storage_unavailable'];
const readiness = async () => {
  const { app, deps } = bench.service();
  deps.clock.advance(1_000);
  return (await app.inject({ url: '/readyz' })).statusCode;
};

it('returns 503 media_storage_unavailable during an outage and 201 afterwards', async () => {
  const folder = join(bench.service().deps.config.dataDir, 'media');
  await rename(folder, `${folder}-away`);
  expect(statusAndCode(await bench.send(createUploadForm(bench.png())))).toEqual(AWAY);
  expect(await readiness()).toBe(503);
  await rename(`${folder}-away`, folder);
  expect((await bench.send(createUploadForm(bench.png()))).status).toBe(201);
  expect(await readiness()).toBe(200);
});

describe.skipIf(!canMount)(
  '503 media_storage_unavailable on a full disk, and 201 once there is space (needs rights to mount)',
  () => {
    /** Runs `work` while the service has a disk of 1 MB. */
    async function onSmallDisk(work: (dataDir: string) => Promise<void>): Promise<void> {
      const { dataDir } = bench.service().deps.config;
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dataDir]);
      try {
        for (const name of ['objects', 'tmp']) await mkdir(join(dataDir, 'media', name), { recursive: true });
        await work(dataDir);
        expect(await bench.listReceiving()).toEqual([]);
      } finally {
        execFileSync('umount', [dataDir]);
      }
    }

    it('if the file itself fills the disk', () =>
      onSmallDisk(async () => {
        expect(statusAndCode(await bench.send(createUploadForm(Buffer.alloc(3_000_000))))).toEqual(AWAY);
        await bench.upload(bench.png());
      }));

    it('if the disk was full before', () =>
      onSmallDisk(async (dataDir) => {
        const ballast = join(dataDir, 'ballast');
        await writeFile(ballast, Buffer.alloc(2_000_000)).catch(() => undefined);
        expect(statusAndCode(await bench.send(createUploadForm(bench.png())))).toEqual(AWAY);
        expect(await readiness()).toBe(503);
        await rm(ballast);
        await bench.upload(bench.png());
        expect(await readiness()).toBe(200);
      }));
  },
);

it('removes partial files of a killed process at startup', async () => {
  const { config } = bench.service().deps;
  await mkdir(uploadFolder(config), { recursive: true });
  await writeFile(join(uploadFolder(config), 'left'), 'x');
  expect(await removeStaleUploads(config, new Date(0))).toBe(0);
  expect(await removeStaleUploads(config, new Date(Date.now() + 1_000))).toBe(1);
});
