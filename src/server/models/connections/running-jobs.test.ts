import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { PRICES } from '#contract/money/pricing.ts';
import type { ModelChoice } from '#contract/resources/provider.ts';
import { upstreamJobs } from '#server/platform/db/schema/schema.ts';
import { NOTHING_DISABLED } from '#server/models/config/read-engines.ts';
import { createFalAdapter } from '#server/models/providers/fal/fal-adapter.ts';
import { openAiCompatiblePreset } from '#server/models/providers/openai/openai-compatible.ts';
import type { ProviderPreset } from '#server/models/providers/preset.ts';
import { createFakeFalHandler } from '#server/models/providers/fal/testing/fake-fal-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';
import { createProviderOffering } from './provider-offering.ts';
import { createLocalImage } from './testing/create-local-image.ts';

const KEY = 'key-of-the-running-job';
const CHOICE: ModelChoice = {
  task: 'image.create',
  model: 'imgmodel-a-2',
  markup_percent: null,
  provider_model: 'painter',
};
const OTHER_CHOICE: ModelChoice = { ...CHOICE, model: 'imgmodel-b-2-lite' };

const local = createScriptedEngine();
let upstream: FakeUpstreamServer;
let service: TestService;
let worker: Worker;

/** Replaces the adapters of a preset with those of a queue, for jobs that run while their connection changes. */
function useQueue({ models }: ProviderPreset): void {
  for (const presetModel of models)
    vi.spyOn(presetModel, 'createAdapter').mockImplementation(({ openService, address, api_key }) =>
      createFalAdapter({ service: openService(address ?? ''), api_key: api_key ?? '', model: 'fal-ai/flux/dev' }),
    );
}

beforeAll(async () => {
  useQueue(openAiCompatiblePreset);
  vi.spyOn(openAiCompatiblePreset, 'check').mockResolvedValue('The key works.');
  const fetcher = createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] });
  service = await createTestService({ engines: [local], fetcher, config: { rateLimitPerMinute: 100_000 } });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await service.close();
});
beforeEach(async () => {
  upstream = await startFakeUpstream(KEY, createFakeFalHandler);
  upstream.upstream.outputs = [await createLocalImage()];
  local.jobs.length = 0;
  worker = await startWorker(service.deps);
});
afterEach(async () => {
  await worker.stop();
  await upstream.close();
});

/** Continues in a process that knows only what is stored. */
async function restartWorker(): Promise<void> {
  await worker.stop();
  const base = { file_engines: [], local_engines: [local], off: NOTHING_DISABLED, prices: PRICES };
  worker = await startWorker({ ...service.deps, offering: await createProviderOffering(service.deps, base) });
}

async function createGeneration(): Promise<string> {
  const body = { task: 'image.create', model: CHOICE.model, input: { prompt: 'a pear' } };
  return (await service.call('create_generation', { body })).body.id;
}
const waitForStatus = (generation_id: string, status: string) =>
  waitFor(`${generation_id} to be ${status}`, async () => {
    const { body } = await service.call('get_generation', { params: { generation_id } });
    return body.status === status;
  });

it.each([
  ['its key is replaced', (at) => service.call('rotate_provider_key', { ...at, body: { key: 'another-key-0123' } })],
  ['it is paused', (at) => service.call('update_provider', { ...at, body: { state: 'paused' } })],
  ['its model is deselected', (at) => service.call('update_provider', { ...at, body: { models: [OTHER_CHOICE] } })],
  ['it is disconnected', (at) => service.call('disconnect_provider', at)],
] satisfies [string, (at: { params: { provider_id: string } }) => Promise<unknown>][])(
  'a running job finishes on its connection after %s and the worker restarts',
  async (_change, change) => {
    const body = {
      provider: 'openai-compatible' as const,
      key: KEY,
      address: upstream.base_url,
      models: [CHOICE, OTHER_CHOICE],
    };
    const { id } = (await service.call('connect_provider', { body })).body;
    const generation_id = await createGeneration();
    const work = await waitFor('the job to arrive', async () => upstream.upstream.jobs[0]);
    await waitForStatus(generation_id, 'running');

    await change({ params: { provider_id: id } });
    await restartWorker();
    work.state = 'succeeded';
    await waitForStatus(generation_id, 'succeeded');

    const [job] = await service.deps.db
      .select()
      .from(upstreamJobs)
      .where(eq(upstreamJobs.generation_id, generation_id));
    expect(job).toMatchObject({ connection_id: id, engine: `${id}.1/image.create/imgmodel-a-2`, state: 'ended' });
    expect([upstream.upstream.jobs.length, local.jobs.length]).toEqual([1, 0]);
    const others = (await service.call('list_providers')).body.data;
    for (const other of others) await service.call('disconnect_provider', { params: { provider_id: other.id } });
    await waitForStatus(await createGeneration(), 'succeeded');
    expect(local.jobs).toHaveLength(1);
  },
  60_000,
);

it('lists the running jobs of the own organization', async () => {
  const body = { provider: 'openai-compatible' as const, key: KEY, address: upstream.base_url, models: [CHOICE] };
  const { id } = (await service.call('connect_provider', { body })).body;
  const at = { params: { provider_id: id } };
  const list = async () => (await service.call('list_provider_jobs', at)).body.data;
  expect(await list()).toEqual([]);
  const generation_id = await createGeneration();
  const { key } = await service.addOrganization();
  const foreign = { task: 'image.create', model: CHOICE.model, input: { prompt: 'a plum' } };
  await service.call('create_generation', { key, body: foreign });
  await waitFor('both jobs to arrive', async () => upstream.upstream.jobs.length === 2);
  expect(await list()).toMatchObject([{ generation_id, task: 'image.create', model: CHOICE.model }]);
  expect((await service.call('get_provider', at)).body.running_jobs).toBe(2);
  for (const job of upstream.upstream.jobs) job.state = 'succeeded';
  await waitForStatus(generation_id, 'succeeded');
  expect(await list()).toEqual([]);
  await service.call('disconnect_provider', at);
});
