import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { PRICES } from '#contract/money/pricing.ts';
import { findEngine } from '#server/models/catalog/offering.ts';
import { upstreamJobs } from '#server/platform/db/schema/schema.ts';
import { NOTHING_DISABLED } from '#server/models/config/read-engines.ts';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { startWorker } from '#server/app/worker.ts';
import { recordConnectionProblem } from './connection-health.ts';
import { createProviderOffering, type ProviderOffering } from './provider-offering.ts';
import { createLocalImage } from './testing/create-local-image.ts';

const KEY = 'sk-test-0123456789abcdef';
const CHOICE = { task: 'image.create', model: 'imgmodel-a-2', provider_model: 'local-painter' } as const;
const local = createScriptedEngine();
const options = () => ({
  engines: [local],
  fetcher: createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] }),
});

describeOnBothDatabases('two processes of one installation', options, (service) => {
  let upstream: FakeUpstreamServer;
  /** The offering of a process that has not read what the service under test changed. */
  let other: ProviderOffering;

  beforeAll(async () => {
    upstream = await startFakeUpstream(KEY, createFakeOpenAiHandler);
    upstream.upstream.outputs = [await createLocalImage()];
  });
  afterAll(() => upstream.close());
  beforeEach(async () => {
    local.jobs.length = 0;
    const base = { file_engines: [], local_engines: [local], off: NOTHING_DISABLED, prices: PRICES };
    other = await createProviderOffering(service.get().deps, base);
  });
  afterEach(async () => {
    const { call } = service.get();
    for (const { id } of (await call('list_providers')).body.data)
      await call('disconnect_provider', { params: { provider_id: id } });
  });

  async function connect(): Promise<{ params: { provider_id: string } }> {
    const body = { provider: 'openai-compatible' as const, key: KEY, address: upstream.base_url, models: [CHOICE] };
    const { id } = (await service.get().call('connect_provider', { body })).body;
    return { params: { provider_id: id } };
  }
  async function createGeneration(): Promise<string> {
    const body = { task: CHOICE.task, model: CHOICE.model, input: { prompt: 'a pear' } };
    return (await service.get().call('create_generation', { body })).body.id;
  }
  const readStatus = async (generation_id: string) =>
    (await service.get().call('get_generation', { params: { generation_id } })).body.status;
  async function readJob(generation_id: string) {
    const { db } = service.get().deps;
    const [job] = await db.select().from(upstreamJobs).where(eq(upstreamJobs.generation_id, generation_id));
    return job;
  }
  const engineName = () => findEngine(other.current().engines, CHOICE.task, CHOICE.model)?.name ?? '';
  const priceOf = () =>
    other.current().prices.find(({ task, model }) => task === CHOICE.task && model === CHOICE.model)
      ?.unit_price_micro_usd;

  it('see each change of the other after a refresh', async () => {
    const { call } = service.get();
    const at = await connect();
    expect(engineName()).toBe('preview');
    await other.refresh();
    expect(engineName()).toContain(`${at.params.provider_id}.1/`);

    expect(priceOf()).toBe(30_000n);
    await call('update_provider', { ...at, body: { models: [{ ...CHOICE, markup_percent: 10 }] } });
    await other.refresh();
    expect(priceOf()).toBe(0n);

    await call('rotate_provider_key', { ...at, body: { key: KEY } });
    await other.refresh();
    expect(engineName()).toContain(`${at.params.provider_id}.2/`);

    await call('update_provider', { ...at, body: { state: 'paused' } });
    await other.refresh();
    expect(engineName()).toBe('');

    await call('disconnect_provider', at);
    await other.refresh();
    expect(engineName()).toBe('preview');
    expect(priceOf()).toBe(30_000n);
  });

  it('run a job at the provider that only its creator knew', async () => {
    const { deps } = service.get();
    const at = await connect();
    const id = await createGeneration();
    await runGeneration({ ...deps, offering: other }, id, { shutdown: new AbortController().signal });
    expect(await readStatus(id)).toBe('succeeded');
    expect((await readJob(id))?.connection_id).toBe(at.params.provider_id);
    expect(local.jobs).toEqual([]);
  });

  it('fail a job whose provider was paused before it started, and preview nothing', async () => {
    const { call, deps } = service.get();
    const at = await connect();
    const generation_id = await createGeneration();
    await call('update_provider', { ...at, body: { state: 'paused' } });
    await runGeneration({ ...deps, offering: other }, generation_id, { shutdown: new AbortController().signal });
    const { body } = await call('get_generation', { params: { generation_id } });
    expect(body).toMatchObject({
      status: 'failed',
      error: { code: 'model_unavailable', retryable: true },
      usage: { billing_status: 'released' },
    });
    expect(local.jobs).toEqual([]);
  });

  it('start the lane of providers when another process connects the first one', async () => {
    const { deps } = service.get();
    const stopRefreshing = other.startRefreshing();
    const worker = await startWorker({ ...deps, offering: other });
    try {
      const at = await connect();
      const id = await createGeneration();
      await waitFor(`${id} to succeed`, async () => (await readStatus(id)) === 'succeeded');
      expect((await readJob(id))?.connection_id).toBe(at.params.provider_id);
      expect(local.jobs).toEqual([]);
    } finally {
      stopRefreshing();
      await worker.stop();
    }
  });

  it('make one query to find that nothing has changed', async () => {
    const { deps } = service.get();
    await connect();
    const before = await other.refresh();
    const listener = vi.fn<() => void>();
    other.subscribe(listener);
    const select = vi.spyOn(deps.db, 'select');
    expect(await other.refresh()).toBe(before);
    expect(select).toHaveBeenCalledTimes(1);
    select.mockRestore();
    expect(listener).not.toHaveBeenCalled();
  });

  it('keep their engines when only the health of a connection changes', async () => {
    const { deps } = service.get();
    const at = await connect();
    const before = await other.refresh();
    const problem = { message: 'It is busy.', is_account_problem: false };
    await recordConnectionProblem(deps, at.params.provider_id, problem);
    expect(await other.refresh()).toBe(before);
  });
});
