import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, expect, it } from 'vitest';
import { generations } from '#server/platform/db/schema/schema.ts';
import { claimGeneration } from './generation-lease.ts';
import { removeStaleTempDirs, withTempDir } from '#server/studio/assets/temp-dir.ts';
import { deleteOrphanedFiles } from '#server/studio/assets/orphans.ts';
import { requeueStale } from './sweep.ts';
import { useSharedService } from './testing/shared-service-fixture.ts';
import { useMediaFixture } from './testing/media-fixture.ts';
import { createScriptedEngine } from './testing/scripted-engine.ts';
import { createWorkerFixture } from './testing/worker-fixture.ts';

const media = useMediaFixture();
const service = useSharedService(() => ({ engines: [createScriptedEngine()] }));
const bench = createWorkerFixture(service);
afterEach(() => bench.stop());

const HOUR_MS = 3_600_000;
const scratch = () => join(service.get().deps.config.dataDir, 'scratch');
const abandon = async (name: string, ageMs: number) => {
  const folder = join(scratch(), name, 'job-1');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'half.mp4'), 'x');
  const then = new Date(Date.now() - ageMs);
  await utimes(join(scratch(), name), then, then);
};

it('deletes stored files without a row and no others', async () => {
  const studio = await service.createOrganization('1');
  const { deps } = service.get();
  await bench.start();
  const { id } = await bench.create(studio, 'a lighthouse');
  await bench.waitForStatus(studio, id, 'succeeded');
  await media.upload(service.get(), studio.organization_id, media.picture());
  const kept = await bench.listStoredKeys();
  expect(kept).toHaveLength(2);
  await deps.storage.put('outputs/stray.png', { file: media.picture() });
  const hourAgo = new Date(Date.now() - HOUR_MS);
  expect(await deleteOrphanedFiles(deps, hourAgo)).toBe(0);
  const earlier = new Date(hourAgo.getTime() - 1);
  for (const key of [...kept, 'outputs/stray.png'])
    await utimes(join(deps.config.dataDir, 'media', 'objects', key), earlier, earlier);
  expect(await deleteOrphanedFiles(deps, hourAgo)).toBe(1);
  expect((await bench.listStoredKeys()).sort()).toEqual(kept.sort());
});

it('removes files of a killed process at startup if no other process runs', async () => {
  const { deps } = service.get();
  const studio = await service.createOrganization('1');
  const { id } = await bench.create(studio, 'a lighthouse');
  expect(await claimGeneration(deps, id)).not.toBeNull();
  await abandon('of-a-killed-process', 0);
  await deps.storage.put('outputs/stray.png', { file: media.clip() });
  const kept = (await bench.listStoredKeys()).length - 1;
  await new Promise((resolve) => setTimeout(resolve, 20));
  await bench.start();
  const done = await bench.waitForStatus(studio, id, 'succeeded');
  expect(done.output.assets).toHaveLength(1);
  expect(await readdir(scratch())).not.toContain('of-a-killed-process');
  const stored = await bench.listStoredKeys();
  expect(stored).not.toContain('outputs/stray.png');
  expect(stored).toHaveLength(kept + 1);
});

it('keeps folders of other processes for ten minutes if the data are shared', async () => {
  const { dataDir } = service.get().deps.config;
  await abandon('young', HOUR_MS / 12);
  await abandon('old', HOUR_MS / 4);
  await withTempDir(dataDir, async (folder) => {
    await removeStaleTempDirs(dataDir, false);
    expect(await readdir(folder)).toEqual([]);
  });
  const left = await readdir(scratch());
  expect(left).toContain('young');
  expect(left).not.toContain('old');
});

it('requeues generations that have waited for an hour without a job', async () => {
  const { deps } = service.get();
  const studio = await service.createOrganization('1');
  const { id } = await bench.create(studio, 'a lighthouse');
  await bench.start();
  await bench.waitForStatus(studio, id, 'succeeded');
  await bench.stop();
  const made = await bench.create(studio, 'a windmill');
  // Deletes the job, like a queue restored from an old backup.
  const dropped: string[] = [];
  const drop = await deps.queue.work('generation.run', 1, async ({ generation_id }) => {
    dropped.push(generation_id);
  });
  await expect.poll(() => dropped).toContain(made.id);
  await drop();
  expect(await requeueStale(deps)).toBe(0);
  const [row] = await deps.db.select().from(generations).where(eq(generations.id, made.id));
  expect(row?.status).toBe('queued');
  deps.clock.advance(2 * HOUR_MS);
  expect(await requeueStale(deps)).toBe(1);
  await bench.start();
  await bench.waitForStatus(studio, made.id, 'succeeded');
});
