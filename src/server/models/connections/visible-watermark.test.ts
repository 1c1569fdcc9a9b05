import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createFakeModelArkHandler,
  createFakeModelArkState,
} from '#server/models/providers/modelark/testing/fake-modelark-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';

const KEY = 'ark-test-0123456789';
const MODELS = [
  { task: 'image.create', model: 'imgmodel-d-5-pro' },
  { task: 'video.create', model: 'vidmodel-c-2' },
] as const;

const account = createFakeModelArkState();
let upstream: FakeUpstreamServer;
let service: TestService;
let worker: Worker;
beforeAll(async () => {
  upstream = await startFakeUpstream(KEY, (fake) => createFakeModelArkHandler(fake, account));
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

const connect = (changes: { visible_watermark?: boolean } = {}) => ({
  body: { provider: 'modelark' as const, key: KEY, address: upstream.base_url, models: [...MODELS], ...changes },
});

/** @returns the `watermark` of the requests that the provider received, one per model */
async function generateAll(): Promise<unknown[]> {
  account.created.length = 0;
  for (const choice of MODELS)
    await service.call('create_generation', { body: { ...choice, input: { prompt: 'a pear' } } });
  await waitFor('the submits', async () => account.created.length === MODELS.length);
  return account.created.map(({ body }) => (body as { watermark: unknown }).watermark);
}

it('is drawn only while an administrator has turned it on, which is audited', async () => {
  const { id, visible_watermark } = (await service.call('connect_provider', connect())).body;
  expect(visible_watermark).toBe(false);
  expect(await generateAll()).toEqual([false, false]);

  const at = { params: { provider_id: id } };
  const change = (on: boolean) => service.call('update_provider', { ...at, body: { visible_watermark: on } });
  expect((await change(true)).body).toMatchObject({ visible_watermark: true, models: [{}, {}] });
  expect(await generateAll()).toEqual([true, true]);
  expect((await service.call('update_provider', { ...at, body: { models: [...MODELS] } })).body).toMatchObject({
    visible_watermark: true,
  });
  await change(false);
  expect(await generateAll()).toEqual([false, false]);

  const query = { action: 'provider.updated' as const };
  const { data } = (await service.call('list_audit_events', { query })).body;
  expect(data.map(({ before, after }) => [before?.['visible_watermark'], after?.['visible_watermark']])).toEqual([
    [true, undefined],
    [undefined, undefined],
    [undefined, true],
  ]);
});

it('exists only for presets that have one', async () => {
  const presets = (await service.call('list_provider_presets')).body.data;
  expect(presets.filter((preset) => preset.visible_watermark).map(({ id }) => id)).toEqual(['modelark']);
  const body = { ...connect({ visible_watermark: true }).body, provider: 'openai' as const };
  const { status, error } = await service.callError('connect_provider', { body });
  expect([status, error.details?.[0]?.path]).toEqual([422, 'visible_watermark']);
});
