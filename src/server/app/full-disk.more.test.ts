import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, rm, stat, statfs, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { RESERVE_BYTES, MIN_START_BYTES } from '#server/platform/db/embedded/disk-reserve.ts';
import { guardPglite } from '#server/platform/db/embedded/guard-pglite.ts';
import { canMount } from './testing/can-mount.ts';
import { unpackPreparedDatabase } from './testing/prepared-database.ts';
import { prepareServiceProcess, type ServiceProcess } from './testing/service-process.ts';

const VIDEO = { task: 'video.create', model: 'vidmodel-c-2', input: { prompt: 'a lighthouse' } };
const ORDER = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lighthouse' } };

describe.skipIf(!canMount)('the embedded database on a full disk (needs rights to mount)', () => {
  let service: ServiceProcess;
  let created: Generation;
  const hog = () => join(service.dataDir, 'another-program');
  const freeBytes = async () => {
    const { bavail, bsize } = await statfs(service.dataDir);
    return bavail * bsize;
  };
  const fill = async () => {
    const code = await (async () => {
      for (;;) await appendFile(hog(), Buffer.alloc(262_144));
    })().catch((error: unknown) => (error instanceof Error && 'code' in error ? error.code : error));
    expect([code, await freeBytes()]).toEqual(['ENOSPC', 0]);
  };

  beforeAll(async () => {
    service = await prepareServiceProcess();
    await rm(join(service.dataDir, 'database'), { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=320m', 'tmpfs', service.dataDir]);
    await unpackPreparedDatabase(join(service.dataDir, 'database'));
  });
  afterAll(async () => {
    await service.stop('SIGKILL');
    execFileSync('umount', [service.dataDir]);
    await service.remove();
  });

  it('keeps a reserve while there is space, and denies access to other users', async () => {
    await service.start(null, { MIN_FREE_BYTES: '0' });
    await expect.poll(() => readdir(service.dataDir)).toContain('reserve');
    const names = await readdir(service.dataDir, { recursive: true });
    expect(names).toContain('secret.key');
    const modes = await Promise.all(
      ['', ...names].map(async (name) => [name, (await stat(join(service.dataDir, name))).mode & 0o077]),
    );
    expect(modes.filter(([, open]) => open !== 0)).toEqual([]);
  });

  it('starts after a kill on a full disk, states what to free, and creates generations', async () => {
    await fill();
    await service.stop('SIGKILL');
    await service.start(null, { MIN_FREE_BYTES: '0' });
    expect(service.output()).toMatch(
      /The disk of \S+ is full: the service used its reserve to start, and \d+ MB are left\. Free at least 135 MB/,
    );
    created = await service.post('/v1/generations', ORDER);
    expect(await service.get('/v1/billing/verification')).toMatchObject({ ok: true });
  });

  it('exits with a message without a reserve, and loses nothing once there is space', async () => {
    await fill();
    await service.stop('SIGKILL');
    await expect(service.start(null)).rejects.toThrow('did not start');
    expect(service.output()).toMatch(
      /The disk of \S+ is full: 0 MB are free and the embedded database needs 26 MB to start\. Free at least 26 MB there and start again\.\n$/,
    );
    await truncate(hog(), (await stat(hog())).size - MIN_START_BYTES - 1_048_576);
    await service.start(null);
    expect(await service.get('/v1/billing/verification')).toMatchObject({ ok: true });
    expect(await service.get(`/v1/generations/${created.id}`)).toMatchObject({ id: created.id });
  });

  it('restores its reserve when there is space', async () => {
    await service.stop('SIGTERM');
    await rm(hog());
    await service.start(null);
    await expect.poll(async () => (await stat(join(service.dataDir, 'reserve'))).size).toBe(RESERVE_BYTES);
  });

  it('is not ready while it cannot write, rejects requests with a message, and recovers when there is space', async () => {
    await fill();
    // Some fit into pages that the database has already allocated.
    const refused = await (async () => {
      for (let count = 0; count < 500; count += 1) {
        const answer = await service.send('/v1/generations', ORDER);
        if (answer.status !== 201) return answer;
      }
      return null;
    })();
    expect(refused).toMatchObject({
      status: 503,
      retryAfter: '60',
      body: { error: { code: 'service_unavailable', message: expect.stringContaining('disk is full') } },
    });
    // The result of the checks is cached for a second.
    const readiness = async () => {
      const ready = await fetch(service.url('/readyz'));
      return [ready.status, await ready.json()];
    };
    await expect.poll(readiness).toMatchObject([503, { checks: { database: 'unavailable' } }]);
    await rm(hog());
    await service.post('/v1/generations', ORDER);
    await expect.poll(readiness).toMatchObject([200, {}]);
  });

  async function expectFailedForSpace(order: object): Promise<void> {
    const { id } = await service.post<Generation>('/v1/generations', order);
    const read = () => service.get<Generation>(`/v1/generations/${id}`);
    await expect.poll(async () => (await read()).status).toBe('failed');
    expect(await read()).toMatchObject({
      error: { code: 'media_storage_unavailable' },
      usage: { billing_status: 'released' },
    });
  }

  it('fails a generation and releases its reservation if only the media disk is full', async () => {
    await service.stop('SIGTERM');
    const MEDIA_DIR = join(service.dataDir, 'media-disk');
    await mkdir(MEDIA_DIR);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', MEDIA_DIR]);
    try {
      await service.start(null, { MEDIA_DIR, MIN_FREE_BYTES: '0' });
      await expectFailedForSpace(ORDER);
      await expectFailedForSpace(VIDEO);
    } finally {
      await service.stop('SIGKILL');
      execFileSync('umount', [MEDIA_DIR]);
    }
  });

  it('leaves the last quarter of the free-space floor to the database', async () => {
    await service.start(null, { MIN_FREE_BYTES: String(2 ** 49 - 1) });
    await expectFailedForSpace(ORDER);
  });
});

describe.skipIf(!canMount)('the embedded database that cannot write its log (needs rights to mount)', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'full-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'tmpfs', folder]);
    await unpackPreparedDatabase(join(folder, 'database'));
  });
  afterAll(async () => {
    // A broken PGlite cannot be closed: it holds its files until the process ends.
    execFileSync('umount', ['--lazy', folder]);
    await rm(folder, { recursive: true });
  });

  it('is reported as broken once, and opens again when there is space', async () => {
    const reported: unknown[] = [];
    const lite = guardPglite(await PGlite.create({ dataDir: join(folder, 'database') }), (error) =>
      reported.push(error),
    );
    await writeFile(join(folder, 'another-program'), Buffer.alloc(100 * 1_048_576)).catch(() => undefined);
    const log = `select pg_logical_emit_message(false, '', repeat(md5(random()::text), 30000))`;
    for (let count = 0; count < 100 && reported.length === 0; count += 1) await lite.exec(log).catch(() => undefined);
    await expect(lite.exec('select 1')).rejects.toThrow();
    expect(reported).toHaveLength(1);
    await rm(join(folder, 'another-program'));
    const again = await PGlite.create({ dataDir: join(folder, 'database') });
    expect((await again.query('select count(*) from organizations')).rows).toHaveLength(1);
    await again.close();
  });
});
