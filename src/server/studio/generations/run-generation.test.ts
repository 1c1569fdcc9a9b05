import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, expect, it } from 'vitest';
import { fixedOffering } from '#server/models/catalog/offering.ts';
import { assets, generations } from '#server/platform/db/schema/schema.ts';
import { claimGeneration, releaseLease, reclaimExpiredLeases } from './generation-lease.ts';
import { runGeneration } from './run-generation.ts';
import { useSharedService } from './testing/shared-service-fixture.ts';
import { createScriptedEngine } from './testing/scripted-engine.ts';
import { waitFor } from './testing/wait-for.ts';
import { createWorkerFixture } from './testing/worker-fixture.ts';

const engine = createScriptedEngine();
const service = useSharedService(() => ({ engines: [engine], config: { workerConcurrency: 3 } }));
const bench = createWorkerFixture(service);
const running = new AbortController().signal;

afterEach(() => bench.stop());

it('runs and settles a generation and stores its output', async () => {
  const studio = await service.createOrganization('1');
  await bench.start();
  const { id } = await bench.create(studio, 'a lighthouse');
  const done = await bench.waitForStatus(studio, id, 'succeeded');
  expect(done).toMatchObject({
    progress: 1,
    error: null,
    usage: { amount_usd: '0.03', billing_status: 'settled' },
    output: { assets: [{ type: 'image', mime_type: 'image/png', width: 4, height: 2 }], data: null },
  });
  expect(done.started_at).not.toBeNull();
  expect(done.completed_at).not.toBeNull();
  expect(await bench.readLedgerEntries(id)).toEqual(['RELEASE 30000', 'RESERVE -30000', 'SETTLE -30000']);
  const { db, storage } = service.get().deps;
  const [asset] = await db.select().from(assets).where(eq(assets.generation_id, id));
  expect(await storage.stat(asset?.storage_key ?? '')).toMatchObject({ size_bytes: asset?.size_bytes });
  await bench.stop();
  expect(await bench.listTempDirs()).toEqual([]);
});

it.each([
  ['fail', { code: 'engine_failed', message: 'The scripted engine was told to fail.', retryable: true }],
  ['crash', { code: 'internal_error', retryable: true }],
  ['text', { code: 'invalid_media', retryable: false }],
  ['nothing', { code: 'engine_failed', retryable: true }],
])('fails and releases the funds if the engine does “%s”', async (prompt, error) => {
  const studio = await service.createOrganization('1');
  const before = await bench.listStoredKeys();
  await bench.start();
  const { id } = await bench.create(studio, prompt);
  const failed = await bench.waitForStatus(studio, id, 'failed');
  expect(failed).toMatchObject({ error, progress: null, output: { assets: [] } });
  expect(failed.usage.billing_status).toBe('released');
  expect(JSON.stringify(failed)).not.toContain('nobody outside');
  expect(await bench.readLedgerEntries(id)).toEqual(['RELEASE 30000', 'RESERVE -30000']);
  expect((await studio.call('get_billing_summary')).body).toMatchObject({
    available_usd: '1.00',
    reserved_usd: '0.00',
  });
  await bench.stop();
  expect(await bench.listStoredKeys()).toEqual(before);
  expect(await bench.listTempDirs()).toEqual([]);
});

it('writes increasing progress while it runs', async () => {
  const studio = await service.createOrganization('1');
  await bench.start();
  const { id } = await bench.create(studio, 'hang');
  const job = await waitFor('the job', async () => engine.jobs.find(({ generation_id }) => generation_id === id));
  job.onProgress(0.4);
  job.onProgress(0.3);
  await waitFor('progress', async () => (await bench.read(studio, id)).progress === 0.4);
  await studio.call('cancel_generation', { params: { generation_id: id } });
  expect((await bench.read(studio, id)).progress).toBeNull();
});

it('stops a canceled generation promptly', async () => {
  const studio = await service.createOrganization('1');
  await bench.start();
  const { id } = await bench.create(studio, 'hang');
  const job = await waitFor('the job', async () => engine.jobs.find(({ generation_id }) => generation_id === id));
  const canceled = await studio.call('cancel_generation', { params: { generation_id: id } });
  expect(canceled.body).toMatchObject({ status: 'canceled', usage: { billing_status: 'released' }, error: null });
  await waitFor('the abort', async () => job.signal.aborted);
  await waitFor('the folder to go', async () => (await bench.listTempDirs()).length === 0);
  expect((await bench.read(studio, id)).status).toBe('canceled');
  expect(await bench.readLedgerEntries(id)).toEqual(['RELEASE 30000', 'RESERVE -30000']);
});

it('keeps no file of a generation canceled while its output was stored', async () => {
  const studio = await service.createOrganization('1');
  const before = await bench.listStoredKeys();
  const { deps } = service.get();
  const { id } = await bench.create(studio, 'a lighthouse');
  const params = { generation_id: id };
  const put: typeof deps.storage.put = async (...args) => {
    const stored = await deps.storage.put(...args);
    await studio.call('cancel_generation', { params });
    return stored;
  };
  await runGeneration({ ...deps, storage: { ...deps.storage, put } }, id, { shutdown: running });
  expect(await bench.read(studio, id)).toMatchObject({ status: 'canceled', output: { assets: [] } });
  expect(await bench.readLedgerEntries(id)).toEqual(['RELEASE 30000', 'RESERVE -30000']);
  expect(await bench.listStoredKeys()).toEqual(before);
});

it('releases the generation at shutdown, and another worker completes it', async () => {
  const studio = await service.createOrganization('1');
  const first = await bench.start();
  const { id } = await bench.create(studio, 'wait');
  await waitFor('the job', async () => engine.jobs.some(({ generation_id }) => generation_id === id));
  await first.stop();
  expect(await bench.read(studio, id)).toMatchObject({ status: 'running', progress: null, completed_at: null });
  const [row] = await service.get().deps.db.select().from(generations).where(eq(generations.id, id));
  expect(row).toMatchObject({ lease_owner: null, attempts: 0 });
  engine.unblock();
  await bench.start();
  await bench.waitForStatus(studio, id, 'succeeded');
  expect(await bench.readLedgerEntries(id)).toEqual(['RELEASE 30000', 'RESERVE -30000', 'SETTLE -30000']);
});

it('fails a generation that exceeds its deadline', async () => {
  const studio = await service.createOrganization('1');
  const { id } = await bench.create(studio, 'hang');
  await runGeneration(service.get().deps, id, { shutdown: running, deadlineMs: 50 });
  expect(await bench.read(studio, id)).toMatchObject({ status: 'failed', error: { code: 'timeout', retryable: true } });
});

it('fails with a storage error and releases the funds once storage has failed for 15 minutes', async () => {
  const studio = await service.createOrganization('1');
  const { deps } = service.get();
  const { id } = await bench.create(studio, 'a lighthouse');
  await rm(join(deps.config.dataDir, 'media', 'tmp'), { recursive: true });
  await runGeneration(deps, id, { shutdown: running });
  expect(await bench.read(studio, id)).toMatchObject({ status: 'running', error: null });
  deps.clock.advance(15 * 60_000);
  await runGeneration(deps, id, { shutdown: running });
  await mkdir(join(deps.config.dataDir, 'media', 'tmp'));
  expect(await bench.read(studio, id)).toMatchObject({
    status: 'failed',
    error: { code: 'media_storage_unavailable', retryable: true },
  });
  expect(await bench.readLedgerEntries(id)).toEqual(['RELEASE 30000', 'RESERVE -30000']);
});

it('leaves no outcome if the database is unreachable, and runs again', async () => {
  const studio = await service.createOrganization('1');
  const { deps } = service.get();
  const { id } = await bench.create(studio, 'a lighthouse');
  const gone = Object.assign(new Error('terminating connection'), { code: '57P01' });
  const storage = { ...deps.storage, put: () => Promise.reject(new Error('Failed query', { cause: gone })) };
  await expect(runGeneration({ ...deps, storage }, id, { shutdown: running })).rejects.toThrow('Failed query');
  expect(await bench.read(studio, id)).toMatchObject({ status: 'running', error: null });
  await runGeneration(deps, id, { shutdown: running });
  expect((await bench.read(studio, id)).status).toBe('running');
  deps.clock.advance(16_000);
  await runGeneration(deps, id, { shutdown: running });
  expect((await bench.read(studio, id)).status).toBe('succeeded');
});

it('fails after three interrupted attempts', async () => {
  const studio = await service.createOrganization('1');
  const { deps } = service.get();
  const { id } = await bench.create(studio, 'a lighthouse');
  for (const _ of [1, 2, 3]) {
    expect(await claimGeneration(deps, id)).not.toBeNull();
    expect(await claimGeneration(deps, id)).toBeNull();
    deps.clock.advance(16_000);
    expect(await reclaimExpiredLeases(deps)).toBe(1);
  }
  await runGeneration(deps, id, { shutdown: running });
  expect(await bench.read(studio, id)).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
  expect(await bench.readLedgerEntries(id)).toEqual(['RELEASE 30000', 'RESERVE -30000']);
});

it('lets only the current owner of the lease write an outcome', async () => {
  const studio = await service.createOrganization('1');
  const { deps } = service.get();
  const { id } = await bench.create(studio, 'deaf');
  const before = await bench.listStoredKeys();
  const late = createScriptedEngine();
  const first = runGeneration({ ...deps, offering: fixedOffering({ engines: [late] }) }, id, { shutdown: running });
  await late.waitForStarted(1);
  deps.clock.advance(16_000);
  const second = await claimGeneration(deps, id);
  expect(second).not.toBeNull();
  late.unblock();
  await first;
  expect(await bench.read(studio, id)).toMatchObject({ status: 'running' });
  expect(await bench.listStoredKeys()).toEqual(before);
  if (second) await releaseLease(deps, second);
  await runGeneration(deps, id, { shutdown: running });
  expect((await bench.read(studio, id)).status).toBe('succeeded');
  expect(await bench.readLedgerEntries(id)).toEqual(['RELEASE 30000', 'RESERVE -30000', 'SETTLE -30000']);
});

it('completes and charges every generation of a burst once', async () => {
  const studio = await service.createOrganization('10');
  await bench.start();
  await Promise.all(Array.from({ length: 40 }, () => bench.create(studio, 'a lighthouse')));
  await waitFor('all to end', async () => {
    const { body } = await studio.call('get_billing_summary');
    return body.reserved_usd === '0.00';
  });
  expect((await studio.call('get_billing_summary')).body).toMatchObject({
    available_usd: '8.80',
    reserved_usd: '0.00',
    spent_total_usd: '1.20',
  });
});
