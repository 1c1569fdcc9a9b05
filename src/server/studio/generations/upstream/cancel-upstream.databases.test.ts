import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { upstreamJobs } from '#server/platform/db/schema/schema.ts';
import { createUpstreamEngine, type UpstreamAdapter } from '#server/models/engine/upstream.ts';
import { type Storage, StorageError } from '#server/platform/storage/storage.ts';
import { reclaimExpiredLeases } from '#server/studio/generations/generation-lease.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { createFakeProviderAdapter } from '#server/studio/generations/testing/fake-provider-adapter.ts';
import {
  type FakeProviderServer,
  startFakeProviderServer,
} from '#server/studio/generations/testing/fake-provider-server.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';
import { cancelUpstreamJob } from './cancel-upstream.ts';

const MINUTE_MS = 60_000;
const RELEASED = ['RELEASE 30000', 'RESERVE -30000'];
const shutdown = new AbortController().signal;

let provider: FakeProviderServer;
const adapter = createFakeProviderAdapter(() => provider);
const engine = createUpstreamEngine({
  name: 'fake',
  adapter,
  deadlineMs: 30 * MINUTE_MS,
  supports: () => true,
  listCost: () => 25_000n,
});
beforeAll(async () => {
  provider = await startFakeProviderServer();
});
afterAll(() => provider.close());

describeOnBothDatabases(
  'A job that is canceled at a provider',
  () => ({ engines: [engine] }),
  (service) => {
    const bench = createWorkerFixture(service);
    let org: TestOrganization;
    beforeEach(async () => {
      vi.spyOn(Math, 'random').mockReturnValue(0);
      provider.reset();
      adapter.pollAfterMs = MINUTE_MS;
      org = await service.createOrganization('10');
    });
    afterEach(async () => {
      vi.restoreAllMocks();
      await bench.stop();
    });

    const cancel = (id: string) => org.call('cancel_generation', { params: { generation_id: id } });
    const run = (id: string) => runGeneration(service.get().deps, id, { shutdown });
    const create = async () => (await bench.create(org, 'a lighthouse')).id;
    const jobOf = async (id: string) =>
      (await service.get().deps.db.select().from(upstreamJobs).where(eq(upstreamJobs.generation_id, id)))[0];
    const readMargin = async () => (await org.call('get_margin')).body;
    const outputCount = async (id: string) => (await bench.read(org, id)).output.assets.length;

    /** Submits a generation, which then waits for its first poll. */
    async function submit(): Promise<string> {
      const id = await create();
      await run(id);
      expect(await jobOf(id)).toMatchObject({ state: 'accepted' });
      return id;
    }
    async function cancelAndFollow(id: string): Promise<void> {
      await cancel(id);
      adapter.pollAfterMs = 5;
      await bench.start();
      await waitFor('its end', async () => (await jobOf(id))?.state === 'ended');
      await bench.stop();
    }
    async function expectNotCharged(id: string): Promise<void> {
      const { status, usage, error } = await bench.read(org, id);
      expect({ status, billing: usage.billing_status, error }).toEqual({
        status: 'canceled',
        billing: 'released',
        error: null,
      });
      expect(await bench.readLedgerEntries(id)).toEqual(RELEASED);
    }

    it('keeps its result and its cost when it was complete before', async () => {
      const id = await submit();
      provider.behaviors.cancel = ['late'];
      await cancelAndFollow(id);
      await expectNotCharged(id);
      expect((await bench.read(org, id)).output.assets).toMatchObject([{ type: 'image', width: 4, height: 2 }]);
      expect(await jobOf(id)).toMatchObject({ cost_micro_usd: 10_000n, cost_basis: 'reported' });
      expect(await readMargin()).toMatchObject({
        data: [{ charged_usd: '0.00', cost_usd: '0.01', margin_usd: '-0.01' }],
        total: { unknown_cost_count: 0, by_basis: { reported: 1 } },
      });
      const { data } = (await org.call('list_media')).body;
      expect(data).toHaveLength(1);
    });

    it('costs its list price when the provider reports none', async () => {
      const id = await submit();
      provider.behaviors.cancel = ['late'];
      const poll = adapter.poll.bind(adapter);
      vi.spyOn<UpstreamAdapter, 'poll'>(adapter, 'poll').mockImplementation(async (...request) => ({
        ...(await poll(...request)),
        cost_micro_usd: null,
      }));
      await cancelAndFollow(id);
      expect(await jobOf(id)).toMatchObject({ cost_micro_usd: 25_000n, cost_basis: 'list' });
    });

    it('costs what the provider charges until then', async () => {
      const id = await submit();
      provider.canceledCostUsd = '0.004';
      await cancelAndFollow(id);
      await expectNotCharged(id);
      expect(await outputCount(id)).toBe(0);
      expect(await jobOf(id)).toMatchObject({ cost_micro_usd: 4_000n, cost_basis: 'reported' });
    });

    it('is followed to its end when it cannot be stopped, and its result is not delivered', async () => {
      const id = await submit();
      const stored = await bench.listStoredKeys();
      provider.behaviors.cancel = ['late'];
      provider.behaviors.poll = ['running', 'drop', 'running'];
      await cancelAndFollow(id);
      await expectNotCharged(id);
      expect(await outputCount(id)).toBe(0);
      expect(await bench.listStoredKeys()).toEqual(stored);
      expect(await jobOf(id)).toMatchObject({ cost_micro_usd: 10_000n, cost_basis: 'reported' });
      expect(provider.jobs[0]?.polls).toBe(4);
    });

    it('is no longer asked about after two deadlines', async () => {
      const id = await submit();
      provider.behaviors.cancel = ['late'];
      provider.poll_default = 'running';
      service.get().deps.clock.advance(61 * MINUTE_MS);
      await cancelAndFollow(id);
      expect(await jobOf(id)).toMatchObject({
        cost_micro_usd: null,
        last_problem: 'The provider did not say how the job ended after it was canceled.',
      });
      expect((await readMargin()).total.unknown_cost_count).toBe(1);
    });

    it('has its cost recorded when it completes after its deadline', async () => {
      const id = await submit();
      provider.poll_default = 'running';
      provider.behaviors.cancel = ['late'];
      service.get().deps.clock.advance(31 * MINUTE_MS);
      await reclaimExpiredLeases(service.get().deps);
      await run(id);
      expect(await bench.read(org, id)).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
      provider.poll_default = 'done';
      adapter.pollAfterMs = 5;
      await bench.start();
      await waitFor('its end', async () => (await jobOf(id))?.state === 'ended');
      expect(await jobOf(id)).toMatchObject({ cost_micro_usd: 10_000n });
      expect(await outputCount(id)).toBe(0);
      expect(await bench.readLedgerEntries(id)).toEqual(RELEASED);
    });

    describe('and interrupted', () => {
      const follow = (id: string, stop = shutdown) =>
        cancelUpstreamJob(service.get().deps, { generation_id: id }, stop);

      it('between the response to its cancel and its poll, keeps one result', async () => {
        const id = await submit();
        await cancel(id);
        provider.behaviors.cancel = ['late', 'late'];
        const stop = new AbortController();
        const poll = adapter.poll.bind(adapter);
        vi.spyOn<UpstreamAdapter, 'poll'>(adapter, 'poll').mockImplementationOnce(async (...request) => {
          stop.abort(new Error('shutdown'));
          return poll(...request);
        });
        await expect(follow(id, stop.signal)).rejects.toThrow();
        expect(await jobOf(id)).toMatchObject({ state: 'accepted', cost_micro_usd: null });
        await follow(id);
        await follow(id);
        expect(await jobOf(id)).toMatchObject({ state: 'ended', cost_micro_usd: 10_000n });
        expect(await outputCount(id)).toBe(1);
        expect(provider.submits).toEqual([id]);
        await expectNotCharged(id);
      });

      it('by full storage, keeps its cost, and its result later', async () => {
        const id = await submit();
        await cancel(id);
        provider.behaviors.cancel = ['late', 'late'];
        vi.spyOn<Storage, 'put'>(service.get().deps.storage, 'put').mockRejectedValueOnce(
          new StorageError('unavailable', 'The disk is full.'),
        );
        await expect(follow(id)).rejects.toThrow('The disk is full.');
        expect(await jobOf(id)).toMatchObject({ state: 'accepted', cost_micro_usd: 10_000n });
        await follow(id);
        expect(await jobOf(id)).toMatchObject({ state: 'ended', cost_micro_usd: 10_000n });
        expect(await outputCount(id)).toBe(1);
      });

      it('twice at once, keeps one result', async () => {
        const id = await submit();
        await cancel(id);
        provider.behaviors.cancel = ['late', 'late'];
        const stored = await bench.listStoredKeys();
        await Promise.all([follow(id), follow(id)]);
        expect(await outputCount(id)).toBe(1);
        expect(await bench.listStoredKeys()).toHaveLength(stored.length + 1);
      });
    });

    describe('while its response is on the way', () => {
      it.each(['submit', 'poll'] as const)('keeps the result of a %s that was stored meanwhile', async (call) => {
        const id = await create();
        if (call === 'submit') provider.behaviors.submit = ['done'];
        else adapter.pollAfterMs = 5;
        const { storage } = service.get().deps;
        const put = storage.put.bind(storage);
        vi.spyOn<Storage, 'put'>(storage, 'put').mockImplementationOnce(async (...file) => {
          await cancel(id);
          return put(...file);
        });
        await run(id);
        await expectNotCharged(id);
        expect(await outputCount(id)).toBe(1);
        expect(await jobOf(id)).toMatchObject({ state: 'ended', cost_micro_usd: 10_000n });
      });

      it('costs a request that has no cancel, whose result is not delivered', async () => {
        const id = await create();
        provider.behaviors.submit = ['done'];
        const send = adapter.submit.bind(adapter);
        vi.spyOn<UpstreamAdapter, 'submit'>(adapter, 'submit').mockImplementationOnce(async (job) => {
          await cancel(id);
          service.get().deps.clock.advance(1);
          return send(job);
        });
        await run(id);
        await expectNotCharged(id);
        expect(await outputCount(id)).toBe(0);
        expect(await jobOf(id)).toMatchObject({ state: 'ended', cost_micro_usd: 10_000n });
      });
    });
  },
);
