import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { assets, generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';
import { type UpstreamAdapter, createUpstreamEngine } from '#server/models/engine/upstream.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import type { ServicePool } from '#server/platform/net/service-pool.ts';
import { createS3Storage } from '#server/platform/storage/s3-storage.ts';
import { type FakeS3Server, startFakeS3Server } from '#server/platform/storage/testing/fake-s3-server.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { createFakeProviderAdapter } from '#server/studio/generations/testing/fake-provider-adapter.ts';
import {
  type FakeProviderServer,
  startFakeProviderServer,
} from '#server/studio/generations/testing/fake-provider-server.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';

const MINUTE_MS = 60_000;
const QUICK = { spoolIntervalMs: 100, submitGraceMs: 1_000 };
const SETTLED = ['RELEASE', 'RESERVE', 'SETTLE'];
const RELEASED = ['RELEASE', 'RESERVE'];

const ASYNC_MODEL = 'imgmodel-a-2';
const SYNC_MODEL = 'imgmodel-b-2';
const LOCAL_MODEL = 'imgmodel-b-2-lite';

let s3: FakeS3Server;
let pool: ServicePool;
let provider: FakeProviderServer;
beforeAll(async () => {
  s3 = await startFakeS3Server();
  pool = createFetcher().createPool(s3.settings.endpoint);
  provider = await startFakeProviderServer();
});
afterAll(async () => {
  await pool.close();
  await s3.close();
  await provider.close();
});

const polled = createFakeProviderAdapter(() => provider);
/** Delivers results with the response to the submit, and can't be asked again. */
const synchronous: UpstreamAdapter = {
  supports_submit_key: false,
  async submit(job) {
    const state = await polled.submit(job);
    if (state.status !== 'succeeded') throw new Error('The provider was to answer at once.');
    const { handle: _none, ...rest } = state;
    return rest;
  },
  poll: () => Promise.reject(new Error('There is nothing to poll.')),
  cancel: () => Promise.reject(new Error('There is nothing to cancel.')),
};
const local = createScriptedEngine();
const engines = [
  createUpstreamEngine({ name: 'sync', adapter: synchronous, supports: (_task, model) => model === SYNC_MODEL }),
  createUpstreamEngine({ name: 'studio', adapter: polled, supports: (_task, model) => model === ASYNC_MODEL }),
  local,
];

const isPut = ({ method, url }: { method: string; url: string }) => method === 'PUT' && url.includes('/media/outputs/');

describeOnBothDatabases(
  'While the object store fails',
  () => ({ engines, storage: createS3Storage(s3.settings, pool), config: { s3: s3.settings } }),
  (service) => {
    const bench = createWorkerFixture(service);
    let org: TestOrganization;
    beforeEach(async () => {
      provider.reset();
      local.jobs.length = 0;
      org = await service.createOrganization('10');
      fail();
    });
    afterEach(async () => {
      s3.intercept = null;
      await bench.stop();
    });
    const fail = (status = 503) => {
      s3.intercept = (request) => (isPut(request) ? { status, code: 'SlowDown' } : null);
    };
    const recover = () => (s3.intercept = null);
    const create = async (model: string): Promise<string> => {
      if (model === SYNC_MODEL) provider.behaviors.submit = ['done'];
      return (await bench.create(org, 'a lighthouse', { model })).id;
    };
    const run = (id: string, config = {}) => {
      const { deps } = service.get();
      return runGeneration({ ...deps, config: { ...deps.config, ...config } }, id, {
        shutdown: new AbortController().signal,
      });
    };
    const rowOf = async (id: string) => {
      const [row] = await service.get().deps.db.select().from(generations).where(eq(generations.id, id));
      return row;
    };
    const ledgerOf = async (id: string) => (await bench.readLedgerEntries(id)).map((entry) => entry.split(' ')[0]);
    const waitUntilKept = (id: string) =>
      waitFor('the result to wait', async () => {
        const row = await rowOf(id);
        return row?.status === 'running' && row.lease_owner === null && row.storage_failed_at !== null;
      });
    const spooled = () => readdir(join(service.get().deps.config.mediaDir, 'spool')).catch(() => []);
    const worksDone = () => provider.submits.length + local.jobs.length;

    it.each([
      ['a provider that responds at once', SYNC_MODEL, 500],
      ['a provider that is polled', ASYNC_MODEL, 503],
      ['a tool', LOCAL_MODEL, 503],
    ])('the result of %s is kept and stored later, without doing the work again', async (_from, model, status) => {
      fail(status);
      await bench.start(QUICK);
      const id = await create(model);
      await waitUntilKept(id);
      expect(await spooled()).toContain(id);
      expect(await ledgerOf(id)).toEqual(['RESERVE']);
      service.get().deps.clock.advance(MINUTE_MS);
      await waitFor(
        'another try',
        async () => (await rowOf(id))?.attempts === 0 && (await rowOf(id))?.lease_owner === null,
      );
      expect((await bench.read(org, id)).status).toBe('running');
      recover();
      service.get().deps.clock.advance(MINUTE_MS);
      const done = await bench.waitForStatus(org, id, 'succeeded');
      expect(done.output.assets).toHaveLength(1);
      expect(await ledgerOf(id)).toEqual(SETTLED);
      expect(worksDone()).toBe(1);
      await waitFor('the spool to be empty', async () => (await spooled()).length === 0);
    });

    it.each([SYNC_MODEL, ASYNC_MODEL, LOCAL_MODEL])(
      'a result of %s that can’t be stored for 15 minutes fails and is not charged',
      async (model) => {
        const id = await create(model);
        await run(id);
        const { clock } = service.get().deps;
        clock.advance(15 * MINUTE_MS - 1);
        await run(id);
        expect((await bench.read(org, id)).status).toBe('running');
        clock.advance(1);
        await run(id);
        expect(await bench.read(org, id)).toMatchObject({
          status: 'failed',
          error: { code: 'media_storage_unavailable', retryable: true },
        });
        expect(await ledgerOf(id)).toEqual(RELEASED);
        expect(worksDone()).toBe(1);
        expect(await spooled()).not.toContain(id);
      },
    );

    it('keeps the result while the store accepts connections and does not respond', async () => {
      s3.intercept = (request) => (isPut(request) ? 'hang' : null);
      const impatient = createFetcher().createPool(s3.settings.endpoint, { headersTimeout: 300, bodyTimeout: 300 });
      const id = await create(SYNC_MODEL);
      const { deps } = service.get();
      const shutdown = new AbortController().signal;
      await runGeneration({ ...deps, storage: createS3Storage(s3.settings, impatient) }, id, { shutdown });
      expect(await rowOf(id)).toMatchObject({ status: 'running', lease_owner: null });
      expect(await spooled()).toContain(id);
      expect(await ledgerOf(id)).toEqual(['RESERVE']);
      recover();
      deps.clock.advance(MINUTE_MS);
      await run(id);
      expect((await bench.read(org, id)).status).toBe('succeeded');
      expect(await ledgerOf(id)).toEqual(SETTLED);
      expect(provider.submits).toEqual([id]);
      await impatient.close();
    });

    it('a worker that starts again stores what the one before has left', async () => {
      const id = await create(SYNC_MODEL);
      await run(id);
      expect(await rowOf(id)).toMatchObject({ status: 'running', lease_owner: null });
      recover();
      service.get().deps.clock.advance(MINUTE_MS);
      await bench.start(QUICK);
      await bench.waitForStatus(org, id, 'succeeded');
      expect(provider.submits).toEqual([id]);
    });

    it('a shutdown while the store does not respond keeps the result', async () => {
      s3.intercept = (request) => (isPut(request) ? 'hang' : null);
      const worker = await bench.start(QUICK);
      const id = await create(SYNC_MODEL);
      await waitFor('the submit', async () => provider.submits.length === 1);
      await worker.stop();
      expect(await spooled()).toContain(id);
      recover();
      await bench.start(QUICK);
      await bench.waitForStatus(org, id, 'succeeded');
      expect(await ledgerOf(id)).toEqual(SETTLED);
      expect(provider.submits).toEqual([id]);
    });

    it('a process without the result fetches it again, or leaves it to the process that has it', async () => {
      const ids = [await create(SYNC_MODEL)];
      await run(ids[0] ?? '');
      ids.push(await create(ASYNC_MODEL));
      await run(ids[1] ?? '');
      recover();
      const elsewhere = { mediaDir: await mkdtemp(join(tmpdir(), 'emulsion-elsewhere-')) };
      for (const id of ids) await run(id, elsewhere);
      await rm(elsewhere.mediaDir, { recursive: true });
      const statuses = await Promise.all(ids.map(async (id) => (await bench.read(org, id)).status));
      expect(statuses).toEqual(['running', 'succeeded']);
      await bench.start(QUICK);
      service.get().deps.clock.advance(MINUTE_MS);
      await bench.waitForStatus(org, ids[0] ?? '', 'succeeded');
      await waitFor('the spool to be empty', async () => (await spooled()).length === 0);
      for (const id of ids) expect(await ledgerOf(id)).toEqual(SETTLED);
      expect(provider.submits).toEqual(ids);
    });

    it('a run that loses its lease while it stores leaves the result to the next one', async () => {
      const id = await create(SYNC_MODEL);
      await run(id);
      const { clock, db } = service.get().deps;
      let puts = 0;
      s3.intercept = async (request) => {
        if (isPut(request) && ++puts === 1)
          await db.update(generations).set({ lease_owner: null }).where(eq(generations.id, id));
        return null;
      };
      clock.advance(MINUTE_MS);
      await run(id);
      expect(puts).toBe(1);
      expect((await bench.read(org, id)).status).toBe('running');
      expect(await spooled()).toContain(id);
      await run(id);
      expect((await bench.read(org, id)).status).toBe('succeeded');
      expect(await spooled()).not.toContain(id);
      expect(await ledgerOf(id)).toEqual(SETTLED);
      expect(provider.submits).toEqual([id]);
    });

    it('fails after 15 minutes if the process that has the result does not return', async () => {
      const id = await create(SYNC_MODEL);
      await run(id);
      recover();
      const elsewhere = { mediaDir: join(service.get().deps.config.mediaDir, 'elsewhere') };
      service.get().deps.clock.advance(15 * MINUTE_MS);
      await run(id, elsewhere);
      expect((await bench.read(org, id)).status).toBe('failed');
      expect(await ledgerOf(id)).toEqual(RELEASED);
      await bench.start(QUICK);
      await waitFor('the spool to be empty', async () => (await spooled()).length === 0);
      const ended = async () => {
        const [job] = await service.get().deps.db.select().from(upstreamJobs).where(eq(upstreamJobs.generation_id, id));
        return job?.state === 'ended' && job.cost_micro_usd === 10_000n;
      };
      await waitFor('the job to be ended', ended);
    });

    it('a cancel releases the funds at once and keeps the result, which was complete before', async () => {
      const id = await create(SYNC_MODEL);
      await run(id);
      service.get().deps.clock.advance(1_000);
      await org.call('cancel_generation', { params: { generation_id: id } });
      expect(await ledgerOf(id)).toEqual(RELEASED);
      recover();
      await bench.start(QUICK);
      await waitFor('the spool to be empty', async () => (await spooled()).length === 0);
      const kept = await service.get().deps.db.select().from(assets).where(eq(assets.generation_id, id));
      expect(kept).toHaveLength(1);
      expect(await bench.read(org, id)).toMatchObject({ status: 'canceled', usage: { billing_status: 'released' } });
      expect(await ledgerOf(id)).toEqual(RELEASED);
    });
  },
);
