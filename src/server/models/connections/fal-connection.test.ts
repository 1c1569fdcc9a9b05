import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';
import { falPreset } from '#server/models/providers/fal/fal-preset.ts';
import { createFakeFalRecord } from '#server/models/providers/fal/testing/fake-fal-record.ts';
import { createFakeFalHandler } from '#server/models/providers/fal/testing/fake-fal-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';

const KEY = 'fal-id-0123456789:fal-secret';
const record = createFakeFalRecord();
let upstream: FakeUpstreamServer;
let service: TestService;
let worker: Worker;

beforeAll(async () => {
  upstream = await startFakeUpstream(KEY, (fake) => createFakeFalHandler(fake, record));
  const image = sharp({ create: { width: 64, height: 64, channels: 3, background: '#284' } });
  upstream.upstream.outputs = [await image.png().toBuffer()];
  service = await createTestService({
    engines: [createScriptedEngine()],
    fetcher: createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] }),
  });
  worker = await startWorker(service.deps);
});
afterAll(async () => {
  await worker.stop();
  await service.close();
  await upstream.close();
});

it('runs every model of fal with one key and shows queue, stage and cost of a job', async () => {
  const models = falPreset.models.map(({ task, model }) => ({ task, model }));
  const body = { provider: 'fal' as const, key: KEY, address: upstream.base_url, models };
  const provider = (await service.call('connect_provider', { body })).body;
  expect(provider).toMatchObject({ name: 'fal', state: 'active' });
  expect(provider.models).toHaveLength(falPreset.models.length);
  const { data } = (await service.call('list_models', { key: null })).body;
  expect(data.filter(({ engine }) => engine !== 'upstream').map(({ id }) => id)).toEqual([]);

  record.billable_units = '1.5';
  record.unit_price = 0.08;
  record.logs = ['Painting'];
  const input = { prompt: 'a pear', aspect_ratio: '16:9', resolution: '2K' };
  const request = { body: { task: 'image.create', model: 'imgmodel-b-2', input } } as const;
  const { id } = (await service.call('create_generation', request)).body;
  const readRow = async () => (await service.deps.db.select().from(generations).where(eq(generations.id, id)))[0];
  const showsStatus = (what: string, expected: object) =>
    waitFor(what, async () => isDeepStrictEqual((await readRow())?.provider_status, expected) || undefined);
  await showsStatus('its place in the queue', { queue_position: 1, stage: null });
  for (const job of upstream.upstream.jobs) job.state = 'running';
  await showsStatus('its stage', { queue_position: null, stage: 'Painting' });
  for (const job of upstream.upstream.jobs) job.state = 'succeeded';
  await waitFor('completion', async () => (await readRow())?.status === 'succeeded' || undefined);
  const [job] = await service.deps.db.select().from(upstreamJobs).where(eq(upstreamJobs.generation_id, id));
  expect(job).toMatchObject({ connection_id: provider.id, cost_micro_usd: 120_000n, cost_basis: 'computed' });
});
