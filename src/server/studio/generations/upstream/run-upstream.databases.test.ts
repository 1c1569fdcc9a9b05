import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fixedOffering } from '#server/models/catalog/offering.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';
import { OutputLostError, UnfetchedOutputError } from '#server/models/engine/unfetched-output.ts';
import { createUpstreamEngine, type UpstreamAdapter } from '#server/models/engine/upstream.ts';
import { claimGeneration, reclaimExpiredLeases } from '#server/studio/generations/generation-lease.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createFakeProviderAdapter } from '#server/studio/generations/testing/fake-provider-adapter.ts';
import {
  type FakePollBehavior,
  type FakeProviderServer,
  startFakeProviderServer,
} from '#server/studio/generations/testing/fake-provider-server.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';
import { markSubmitting, recordAccepted, recordProblem } from './upstream-job.ts';

const MINUTE_MS = 60_000;
const RELEASED = ['RELEASE 30000', 'RESERVE -30000'];
const SETTLED = [...RELEASED, 'SETTLE -30000'];
const shutdown = new AbortController().signal;

let studio: FakeProviderServer;
const adapter = createFakeProviderAdapter(() => studio);
/** Runs all models but one, which runs locally. */
const engine = createUpstreamEngine({
  name: 'studio',
  adapter,
  deadlineMs: 30 * MINUTE_MS,
  supports: (_task, model) => model !== 'imgmodel-b-2',
});
beforeAll(async () => {
  studio = await startFakeProviderServer();
});
afterAll(() => studio.close());

const local = createScriptedEngine();
const options = () => ({ engines: [engine, local], config: { workerConcurrency: 1, upstreamConcurrency: 2 } });

describeOnBothDatabases('Work at another service', options, (service) => {
  const bench = createWorkerFixture(service);
  let org: TestOrganization;
  beforeEach(async () => {
    // Delays have full jitter; 0 gives the shortest.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    studio.reset();
    Object.assign(adapter, { supports_submit_key: false, pollAfterMs: 5 });
    org = await service.createOrganization('10');
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    studio.release();
    await bench.stop();
  });
  const create = async () => (await bench.create(org, 'a lighthouse')).id;
  const cancel = (id: string) => org.call('cancel_generation', { params: { generation_id: id } });
  const run = (id: string) => runGeneration(service.get().deps, id, { shutdown });
  const jobOf = async (id: string) => {
    const [row] = await service.get().deps.db.select().from(upstreamJobs).where(eq(upstreamJobs.generation_id, id));
    return row;
  };
  const rowOf = async (id: string) => {
    const [row] = await service.get().deps.db.select().from(generations).where(eq(generations.id, id));
    return row;
  };

  it('is settled at our price and records the upstream cost', async () => {
    studio.behaviors.poll = ['running', 'running'];
    await bench.start();
    const id = await create();
    const done = await bench.waitForStatus(org, id, 'succeeded');
    expect(done).toMatchObject({ progress: 1, usage: { amount_usd: '0.03', billing_status: 'settled' } });
    expect(done.output.assets).toMatchObject([{ width: 4, height: 2 }]);
    expect(await bench.readLedgerEntries(id)).toEqual(SETTLED);
    expect(studio.submits).toEqual([id]);
    const { body } = await org.call('get_upstream_job', { params: { generation_id: id } });
    expect(body).toMatchObject({
      engine: 'studio',
      state: 'ended',
      handle: { id: 'job-1' },
      request_id: 'job-1',
      cost_usd: '0.01',
      amount_usd: '0.03',
      last_problem: null,
    });
    await bench.stop();
    expect(await bench.listTempDirs()).toEqual([]);
  });

  it('accepts an immediate result', async () => {
    studio.behaviors.submit = ['done'];
    const id = await create();
    await run(id);
    expect(await bench.readLedgerEntries(id)).toEqual(SETTLED);
    expect(await jobOf(id)).toMatchObject({ state: 'ended', cost_micro_usd: 10_000n });
  });

  it('is submitted again if nothing was accepted', async () => {
    studio.behaviors.submit = ['busy', 'busy'];
    const id = await create();
    await run(id);
    expect((await bench.read(org, id)).status).toBe('succeeded');
    expect([studio.submits.length, studio.jobs.length]).toEqual([3, 1]);
  });

  it.each([
    ['refused', () => (studio.behaviors.submit = ['refuse']), 'This prompt is not allowed.'],
    ['failed', () => (studio.poll_default = 'failed'), 'The model broke down.'],
  ])('fails with a message if it is %s', async (_, script, message) => {
    script();
    const id = await create();
    await run(id);
    expect(await bench.read(org, id)).toMatchObject({ status: 'failed', error: { code: 'engine_failed', message } });
    expect(await bench.readLedgerEntries(id)).toEqual(RELEASED);
    expect(await jobOf(id)).toMatchObject({ state: 'ended' });
  });

  it('has its cost recorded if it failed', async () => {
    studio.poll_default = 'failed';
    const id = await create();
    await run(id);
    expect(await jobOf(id)).toMatchObject({ cost_micro_usd: 10_000n, cost_basis: 'reported' });
    const { body } = await org.call('get_margin');
    expect(body.data).toMatchObject([{ charged_usd: '0.00', cost_usd: '0.01', margin_usd: '-0.01' }]);
  });

  it('polls again after a lost response or an overload', async () => {
    studio.behaviors.poll = ['drop', 'busy', 'running'];
    const id = await create();
    await run(id);
    expect((await bench.read(org, id)).status).toBe('succeeded');
    expect(studio.submits).toHaveLength(1);
  });

  describe('if the response to a submit is lost', () => {
    it('goes to manual review with its funds reserved', async () => {
      studio.behaviors.submit = ['drop'];
      const id = await create();
      await run(id);
      expect(await bench.read(org, id)).toMatchObject({
        status: 'manual_review',
        completed_at: null,
        usage: { billing_status: 'reserved' },
        error: { code: 'manual_review', message: expect.stringMatching(/response was lost/) },
      });
      expect(await bench.readLedgerEntries(id)).toEqual(['RESERVE -30000']);
      expect(studio.submits).toHaveLength(1);
    });

    it('is submitted again with the same key if the upstream supports keys', async () => {
      Object.assign(adapter, { supports_submit_key: true });
      studio.knowsKeys = true;
      studio.behaviors.submit = ['drop'];
      const id = await create();
      await run(id);
      expect((await bench.read(org, id)).status).toBe('succeeded');
      expect(studio.submits).toEqual([id, id]);
      expect(studio.jobs).toHaveLength(1);
    });
  });

  const contradictions: [FakePollBehavior, number][] = [
    ['text', 0],
    ['empty', 0],
    ['unsure', 1],
  ];
  it.each(contradictions)('goes to manual review if the upstream says “%s”', async (act, held) => {
    studio.poll_default = act;
    const id = await create();
    await run(id);
    expect(await bench.read(org, id)).toMatchObject({ status: 'manual_review', output: { assets: [], data: null } });
    expect(await bench.readLedgerEntries(id)).toEqual(['RESERVE -30000']);
    const { body } = await org.call('get_review', { params: { generation_id: id } });
    expect(body).toMatchObject({ charge_usd: '0.03', upstream: { state: 'ended', cost_usd: '0.01' }, decision: null });
    expect(body.output.assets).toHaveLength(held);
  });

  describe('whose output can’t be fetched', () => {
    const reason = 'The provider reported success, but a file of its result can’t be fetched.';
    const lost = () => new OutputLostError(new UnfetchedOutputError(reason, [], new Error('cut')));

    it('goes to manual review with the address, its cost and what was fetched', async () => {
      studio.poll_default = 'running';
      const folder = join(service.get().deps.config.mediaDir, 'tmp');
      await mkdir(folder, { recursive: true });
      const file = join(folder, 'fetched.png');
      await writeFile(
        file,
        await sharp({ create: { width: 4, height: 2, channels: 3, background: '#246' } })
          .png()
          .toBuffer(),
      );
      const error = new UnfetchedOutputError(reason, [file], new Error('404'));
      error.cost = { cost_micro_usd: 10_000n, cost_basis: 'reported' };
      vi.spyOn<UpstreamAdapter, 'poll'>(adapter, 'poll').mockRejectedValue(error);
      const id = await create();
      await run(id);
      expect(await bench.read(org, id)).toMatchObject({ status: 'manual_review', error: { message: reason } });
      expect(await bench.readLedgerEntries(id)).toEqual(['RESERVE -30000']);
      const { body } = await org.call('get_review', { params: { generation_id: id } });
      expect(body).toMatchObject({ reason, upstream: { cost_usd: '0.01', handle: { id: 'job-1' } } });
      expect(body.output.assets).toMatchObject([{ type: 'image' }]);
    });

    it('is asked for it until its deadline, then goes to manual review', async () => {
      const poll = vi.spyOn<UpstreamAdapter, 'poll'>(adapter, 'poll').mockRejectedValueOnce(lost());
      poll.mockImplementationOnce(() => {
        service.get().deps.clock.advance(31 * MINUTE_MS);
        return Promise.reject(lost());
      });
      const id = await create();
      await run(id);
      expect(poll).toHaveBeenCalledTimes(2);
      expect(await bench.read(org, id)).toMatchObject({ status: 'manual_review', error: { message: reason } });
      expect(await bench.readLedgerEntries(id)).toEqual(['RESERVE -30000']);
    });

    it('goes to manual review when the response to its submit was the result', async () => {
      vi.spyOn<UpstreamAdapter, 'submit'>(adapter, 'submit').mockRejectedValue(lost());
      const id = await create();
      await run(id);
      expect(await bench.read(org, id)).toMatchObject({ status: 'manual_review', error: { message: reason } });
    });
  });

  describe('after a crash', () => {
    /** The state that a process leaves when it is killed during its submit or later. */
    const crash = async (id: string, handle?: { id: string }) => {
      const { deps } = service.get();
      const lease = await claimGeneration(deps, id);
      if (!lease) throw new Error('It could not be claimed.');
      if (!(await jobOf(id))) await markSubmitting(deps, lease, { name: 'studio' }, {});
      if (handle) await recordAccepted(deps, lease, handle);
      deps.clock.advance(16_000);
      await reclaimExpiredLeases(deps);
    };

    it('is not submitted again if the outcome of the submit is unknown', async () => {
      const id = await create();
      await crash(id);
      await run(id);
      expect((await bench.read(org, id)).status).toBe('manual_review');
      expect(studio.submits).toEqual([]);
    });

    it('is submitted again if the upstream supports keys', async () => {
      Object.assign(adapter, { supports_submit_key: true });
      const id = await create();
      await crash(id);
      await run(id);
      expect((await bench.read(org, id)).status).toBe('succeeded');
      expect(studio.submits).toEqual([id]);
    });

    it('goes to manual review if it cannot be submitted again', async () => {
      Object.assign(adapter, { supports_submit_key: true });
      const { deps } = service.get();
      const id = await create();
      await crash(id);
      const config = { ...deps.config, mediaDir: join(deps.config.mediaDir, 'media', 'no\0folder') };
      await runGeneration({ ...deps, config }, id, { shutdown });
      expect(await bench.read(org, id)).toMatchObject({
        status: 'manual_review',
        error: { message: expect.stringMatching(/internal error occurred/) },
      });
      expect(studio.submits).toEqual([]);
    });

    it('is polled again by its handle regardless of the number of interruptions', async () => {
      const id = await create();
      studio.jobs.push({ id: 'job-7', key: id, canceled: false, polls: 0 });
      for (let times = 0; times < 6; times += 1) await crash(id, { id: 'job-7' });
      await run(id);
      expect((await bench.read(org, id)).status).toBe('succeeded');
      expect(studio.submits).toEqual([]);
      expect(studio.jobs[0]?.polls).toBe(1);
    });

    it('goes to manual review if its service is no longer configured', async () => {
      const id = await create();
      await crash(id, { id: 'job-7' });
      const offering = fixedOffering({ engines: [local] });
      await runGeneration({ ...service.get().deps, offering }, id, { shutdown });
      expect(await bench.read(org, id)).toMatchObject({
        status: 'manual_review',
        error: { message: expect.stringMatching(/no longer configured/) },
      });
    });
  });

  it('says why it is tried again after the second problem in a row', async () => {
    const { deps } = service.get();
    const id = await create();
    const lease = await claimGeneration(deps, id);
    if (!lease) throw new Error('It could not be claimed.');
    await markSubmitting(deps, lease, { name: 'studio' }, {});
    const problem = async () => {
      const job = await jobOf(id);
      if (!job) throw new Error('It has no job.');
      await recordProblem(deps, job, 'The provider returned an unreadable response.', 'submitting');
      return (await bench.read(org, id)).provider_status?.problem;
    };
    expect([await problem(), await problem()]).toEqual([undefined, 'The provider returned an unreadable response.']);
  });

  it('goes to manual review after repeated invalid responses', async () => {
    const { deps } = service.get();
    studio.poll_default = 'garbage';
    const id = await create();
    const lease = await claimGeneration(deps, id);
    if (!lease) throw new Error('It could not be claimed.');
    await markSubmitting(deps, lease, { name: 'studio' }, {});
    studio.jobs.push({ id: 'job-1', key: id, canceled: false, polls: 0 });
    await recordAccepted(deps, lease, { id: 'job-1' });
    await deps.db.update(upstreamJobs).set({ problem_count: 4 }).where(eq(upstreamJobs.generation_id, id));
    deps.clock.advance(16_000);
    await run(id);
    expect((await bench.read(org, id)).status).toBe('manual_review');
    expect(await jobOf(id)).toMatchObject({ state: 'accepted', problem_count: 5 });
  });

  it('continues after a shutdown', async () => {
    studio.poll_default = 'running';
    const first = await bench.start();
    const id = await create();
    await waitFor('a poll', async () => (studio.jobs[0]?.polls ?? 0) > 0);
    await first.stop();
    expect(await bench.read(org, id)).toMatchObject({ status: 'running', completed_at: null });
    studio.poll_default = 'done';
    await bench.start();
    await bench.waitForStatus(org, id, 'succeeded');
    expect(studio.submits).toHaveLength(1);
    expect(await bench.readLedgerEntries(id)).toEqual(SETTLED);
  });

  it('waits for the response to a submit during shutdown', async () => {
    studio.behaviors.submit = ['hang'];
    const first = await bench.start();
    const id = await create();
    await waitFor('the submit', async () => studio.jobs.length === 1);
    const stopped = first.stop();
    await new Promise((resolve) => setTimeout(resolve, 50));
    studio.release();
    await stopped;
    expect(await jobOf(id)).toMatchObject({ state: 'accepted', handle: { id: 'job-1' } });
    await bench.start();
    await bench.waitForStatus(org, id, 'succeeded');
    expect(studio.submits).toHaveLength(1);
  });

  it('holds no lease, slot or attempt during a long wait', async () => {
    Object.assign(adapter, { pollAfterMs: MINUTE_MS });
    const { deps } = service.get();
    const id = await create();
    await run(id);
    expect(await rowOf(id)).toMatchObject({ status: 'running', lease_owner: null, attempts: 0 });
    expect(await reclaimExpiredLeases(deps)).toBe(0);
    await run(id);
    expect((await bench.read(org, id)).status).toBe('succeeded');
    expect(studio.submits).toHaveLength(1);
  });

  it('does not block local work and respects its concurrency limit', async () => {
    studio.poll_default = 'running';
    await bench.start();
    for (let count = 0; count < 3; count += 1) await create();
    await waitFor('two to be sent', async () => studio.jobs.length === 2);
    const { id } = await bench.create(org, 'a windmill', { model: 'imgmodel-b-2' });
    await bench.waitForStatus(org, id, 'succeeded');
    expect(studio.jobs).toHaveLength(2);
    studio.poll_default = 'done';
    await waitFor('all to end', async () => {
      const { body } = await org.call('get_billing_summary');
      return body.reserved_usd === '0.00';
    });
    expect(studio.jobs).toHaveLength(3);
  });

  it('is polled once more at its deadline, then canceled upstream and failed', async () => {
    studio.poll_default = 'running';
    Object.assign(adapter, { pollAfterMs: MINUTE_MS });
    const { deps } = service.get();
    const id = await create();
    await run(id);
    deps.clock.advance(31 * MINUTE_MS);
    await bench.start();
    await reclaimExpiredLeases(deps);
    await bench.waitForStatus(org, id, 'failed');
    expect(await bench.read(org, id)).toMatchObject({ error: { code: 'timeout' } });
    await waitFor('the job to be stopped', async () => studio.jobs[0]?.canceled);
    await waitFor('its end', async () => (await jobOf(id))?.state === 'ended');
    expect(studio.jobs[0]?.polls).toBe(2);
    expect(await bench.readLedgerEntries(id)).toEqual(RELEASED);
  });

  describe('canceled', () => {
    it('is canceled upstream, with retries', async () => {
      studio.poll_default = 'running';
      studio.behaviors.cancel = ['drop'];
      await bench.start();
      const id = await create();
      await waitFor('a poll', async () => (studio.jobs[0]?.polls ?? 0) > 0);
      await cancel(id);
      await waitFor('the job to be stopped', async () => studio.jobs[0]?.canceled);
      await waitFor('that to be known', async () => (await jobOf(id))?.state === 'ended');
      expect((await bench.read(org, id)).status).toBe('canceled');
      expect(await bench.readLedgerEntries(id)).toEqual(RELEASED);
    });

    it('is canceled upstream by a handle that arrives later', async () => {
      studio.behaviors.submit = ['hang'];
      await bench.start();
      const id = await create();
      await waitFor('the submit', async () => studio.jobs.length === 1);
      await cancel(id);
      expect((await jobOf(id))?.state).toBe('submitting');
      studio.release();
      await waitFor('the job to be stopped', async () => studio.jobs[0]?.canceled);
      expect((await bench.read(org, id)).status).toBe('canceled');
      expect(await bench.readLedgerEntries(id)).toEqual(RELEASED);
    });

    it('has exactly one outcome in any order of events', async () => {
      await bench.start();
      const ids = await Promise.all(Array.from({ length: 12 }, () => create()));
      await Promise.all(
        ids.map(async (id, index) => {
          await waitFor('it to begin', async () => index % 3 === 0 || studio.jobs.some(({ key }) => key === id));
          await cancel(id);
        }),
      );
      await bench.stop();
      for (const id of ids) {
        const { status, output } = await bench.read(org, id);
        expect(['succeeded', 'canceled']).toContain(status);
        // A canceled one has its result if the provider was faster.
        if (status === 'succeeded') expect(output.assets).toHaveLength(1);
        expect(await bench.readLedgerEntries(id)).toEqual(status === 'succeeded' ? SETTLED : RELEASED);
        expect(studio.submits.filter((key) => key === id).length).toBeLessThanOrEqual(1);
      }
    });
  });
});
