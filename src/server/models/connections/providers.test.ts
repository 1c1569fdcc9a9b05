import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ProviderConnect } from '#contract/resources/provider.ts';
import { providerConnections, providerCredentials } from '#server/platform/db/schema/provider-schema.ts';
import { upstreamJobs } from '#server/platform/db/schema/schema.ts';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import {
  type FakeUpstreamServer,
  respondWith,
  startFakeUpstream,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';
import { deleteRetiredKeys } from './delete-retired-keys.ts';

const KEY = 'sk-test-0123456789abcdef';
const OTHER_KEY = 'sk-test-another-key-9999';

let upstream: FakeUpstreamServer;
let service: TestService;
let worker: Worker;
const local = createScriptedEngine();

beforeAll(async () => {
  upstream = await startFakeUpstream(KEY, createFakeOpenAiHandler);
  const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#284' } })
    .png()
    .toBuffer();
  upstream.upstream.outputs = [image];
  service = await createTestService({
    engines: [local],
    fetcher: createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] }),
  });
  worker = await startWorker(service.deps);
});
afterAll(async () => {
  await worker.stop();
  await service.close();
  await upstream.close();
});
beforeEach(async () => {
  for (const { id } of (await service.call('list_providers')).body.data)
    await service.call('disconnect_provider', { params: { provider_id: id } });
});

const draft = (changes: Partial<ProviderConnect> = {}) => ({
  provider: 'openai-compatible' as const,
  address: upstream.base_url,
  key: KEY,
  models: [{ task: 'image.create' as const, model: 'imgmodel-a-2' as const, provider_model: 'local-painter' }],
  ...changes,
});
const connect = async (changes: Partial<ProviderConnect> = {}) =>
  (await service.call('connect_provider', { body: draft(changes) })).body;
const at = (provider_id: string) => ({ params: { provider_id } });

async function generate(input: Record<string, unknown> = {}) {
  const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a pear', ...input } };
  const { id } = (await service.call('create_generation', { body })).body;
  const done = await waitFor(`${id} to complete`, async () => {
    const { body: generation } = await service.call('get_generation', { params: { generation_id: id } });
    return ['succeeded', 'failed', 'manual_review'].includes(generation.status) && generation;
  });
  const [job] = await service.deps.db.select().from(upstreamJobs).where(eq(upstreamJobs.generation_id, id));
  return { generation: done, job };
}

describe('a key', () => {
  it('is tested with a free call before anything is stored', async () => {
    const test = async (key: string) => {
      const { models: _, ...body } = draft({ key });
      return (await service.call('test_provider_key', { body })).body;
    };
    expect(await test(KEY)).toMatchObject({ ok: true, message: 'The server responded. Models: local-painter.' });
    const rejected = await test('sk-wrong-0123456789');
    expect(rejected.ok).toBe(false);
    expect(rejected.message).not.toContain('sk-wrong-0123456789');
    expect(upstream.upstream.jobs).toEqual([]);
  });

  it('that the provider rejects is not stored', async () => {
    const { status, error } = await service.callError('connect_provider', { body: draft({ key: OTHER_KEY }) });
    expect([status, error.code, error.details?.[0]?.path]).toEqual([400, 'invalid_request', 'key']);
    expect((await service.call('list_providers')).body.data).toEqual([]);
  });

  it('is stored encrypted and appears in no response', async () => {
    const connected = await connect();
    expect(connected).toMatchObject({ state: 'active', key_last_four: 'cdef', name: 'OpenAI-compatible server' });
    const rows = [
      await service.deps.db.select().from(providerConnections),
      await service.deps.db.select().from(providerCredentials),
      (await service.call('list_providers')).body,
      (await service.call('get_provider', at(connected.id))).body,
    ];
    expect(JSON.stringify(rows)).not.toContain(KEY);
  });

  it('that was replaced stays until its last job is done', async () => {
    const { id } = await connect();
    const credentials = () =>
      service.deps.db.select().from(providerCredentials).where(eq(providerCredentials.connection_id, id));
    const { job } = await generate();
    await service.deps.db.update(upstreamJobs).set({ state: 'accepted' }).where(eq(upstreamJobs.connection_id, id));
    await service.call('rotate_provider_key', { ...at(id), body: { key: KEY } });
    service.deps.clock.advance(61_000);
    await deleteRetiredKeys(service.deps);
    expect((await credentials()).map(({ sealed_key }) => sealed_key !== null)).toEqual([true, true]);
    const names = service.deps.offering.current().engines.map(({ name }) => name);
    expect(names).toContain(job?.engine);
    await service.deps.db.update(upstreamJobs).set({ state: 'ended' }).where(eq(upstreamJobs.connection_id, id));
    await deleteRetiredKeys(service.deps);
    expect((await credentials()).map(({ version, sealed_key }) => [version, sealed_key !== null]).sort()).toEqual([
      [1, false],
      [2, true],
    ]);
  });
});

describe('a connected provider', () => {
  it('runs its models without a restart and records their list cost', async () => {
    const { id } = await connect();
    const { body: models } = await service.call('list_models', { key: null });
    expect(models.data.find((model) => model.id === 'imgmodel-a-2')?.engine).toBe('upstream');
    const { generation, job } = await generate();
    expect(generation.status).toBe('succeeded');
    expect(job).toMatchObject({ connection_id: id, cost_micro_usd: 0n, cost_basis: 'list' });
    expect((await service.call('get_provider', at(id))).body.health).toMatchObject({ succeeded: 1, failed: 0 });
  });

  it('adds what it does not support to the rules of the form', async () => {
    await connect();
    const { body: models } = await service.call('list_models', { key: null });
    const model = models.data.find(({ id }) => id === 'imgmodel-a-2');
    const [restriction] = model?.tasks.find(({ task }) => task === 'image.create')?.restrictions ?? [];
    expect(restriction).toMatchObject({ field: 'resolution', allow: ['1K'] });
    const body = {
      task: 'image.create',
      model: 'imgmodel-a-2',
      input: { prompt: 'x', aspect_ratio: '3:2', resolution: '2K' },
    };
    const { status, error } = await service.callError('create_estimate', { body });
    expect([status, error.details]).toEqual([422, [{ path: 'input.resolution', message: restriction?.message }]]);
  });

  it('fails what is queued for it instead of making a preview', async () => {
    await worker.stop();
    const { id } = await connect();
    const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a pear' } };
    const { body: queued } = await service.call('create_generation', { body });
    await service.call('disconnect_provider', at(id));
    worker = await startWorker(service.deps);
    const done = await waitFor('the queued generation to fail', async () => {
      const { body: now } = await service.call('get_generation', { params: { generation_id: queued.id } });
      return now.status === 'failed' && now;
    });
    expect(done).toMatchObject({ error: { code: 'model_unavailable' }, usage: { billing_status: 'released' } });
  });

  it('takes its models along while it is paused, and hands them back when it is disconnected', async () => {
    const { id } = await connect();
    await service.call('update_provider', { ...at(id), body: { state: 'paused' } });
    const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
    expect((await service.callError('create_generation', { body })).error.code).toBe('model_unavailable');
    await service.call('update_provider', { ...at(id), body: { state: 'active' } });
    expect((await generate()).job?.connection_id).toBe(id);
    await service.call('disconnect_provider', at(id));
    expect((await generate()).job).toBeUndefined();
    expect((await service.callError('get_provider', at(id))).status).toBe(404);
  });

  it('is listed before it is connected, with costs beside our prices', async () => {
    const { body } = await service.call('list_provider_presets');
    const preset = body.data.find((entry) => entry.id === 'openai-compatible');
    expect(preset?.models[0]).toMatchObject({
      task: 'image.create',
      used_by: null,
      typical: { description: 'image, 1K', cost_usd: '0.00', price_usd: '0.03', margin_usd: '0.03' },
    });
  });
});

describe('a second provider of the same model', () => {
  let other: FakeUpstreamServer;
  beforeAll(async () => {
    other = await startFakeUpstream(KEY, createFakeOpenAiHandler);
    other.upstream.outputs = upstream.upstream.outputs;
  });
  afterAll(() => other.close());
  const rejectKey = () =>
    upstream.injectFault(
      respondWith(401, JSON.stringify({ error: { message: 'This key was revoked.', code: 'invalid_api_key' } })),
    );

  it('runs a job that the first rejected, and not one whose response was lost', async () => {
    const first = await connect();
    const second = await connect({ address: other.base_url });
    expect(second.models[0]?.is_fallback).toBe(true);
    expect((await generate()).job?.connection_id).toBe(first.id);
    rejectKey();
    const { generation, job } = await generate();
    expect([generation.status, job?.connection_id]).toEqual(['succeeded', second.id]);
    upstream.injectFault((_request, response) => void response.destroy());
    const lost = await generate();
    expect([lost.generation.status, lost.job?.connection_id]).toEqual(['manual_review', first.id]);
  });

  it('runs the jobs once it is put first', async () => {
    const first = await connect();
    const second = await connect({ address: other.base_url });
    expect(second.models[0]?.runs_on).toBe(first.id);
    const { body: put_first } = await service.call('update_provider', { ...at(second.id), body: { prefer: true } });
    expect(put_first.models[0]).toMatchObject({ is_fallback: false, runs_on: second.id });
    expect((await generate()).job?.connection_id).toBe(second.id);
    const { data } = (await service.call('list_providers')).body;
    expect(data.map(({ id, models }) => [id, models[0]?.is_fallback])).toEqual([
      [second.id, false],
      [first.id, true],
    ]);
    const presets = (await service.call('list_provider_presets')).body.data;
    expect(presets.find(({ id }) => id === 'openai-compatible')?.models[0]?.runs_on).toBe(second.id);
    const [event] = (await service.call('list_audit_events', { query: { action: 'provider.preferred' } })).body.data;
    expect(event?.target).toMatchObject({ id: second.id });
    await service.call('update_provider', { ...at(second.id), body: { state: 'paused' } });
    expect((await service.call('get_provider', at(second.id))).body.models[0]?.runs_on).toBe(first.id);
    expect((await generate()).job?.connection_id).toBe(first.id);
  });

  it('takes over when the first is paused for rejecting its account repeatedly', async () => {
    const { id } = await connect();
    const second = await connect({ address: other.base_url });
    for (let times = 0; times < 3; times += 1) {
      rejectKey();
      expect((await generate()).job?.connection_id).toBe(second.id);
    }
    expect((await service.call('get_provider', at(id))).body).toMatchObject({
      state: 'paused',
      paused_reason: 'It rejected 3 jobs in a row: This key was revoked.',
      health: { last_problem: { message: 'This key was revoked.' } },
    });
    await service.call('rotate_provider_key', { ...at(id), body: { key: KEY } });
    expect((await generate()).job?.connection_id).toBe(id);
  });
});

describe('a request', () => {
  it.each([
    ['address', { address: undefined }],
    ['models.0.model', { models: [{ task: 'image.create', model: 'omni-video' }] }],
    ['models.0.provider_model', { models: [{ task: 'image.create', model: 'imgmodel-a-2' }] }],
    ['use_environment', { key: undefined, use_environment: true }],
  ])('with a wrong %s is rejected with that field', async (path, changes) => {
    const { status, error } = await service.callError('connect_provider', { body: { ...draft(), ...changes } });
    expect([status, error.details?.[0]?.path]).toEqual([422, path]);
  });

  it('from another organization is rejected', async () => {
    const { key } = await service.addOrganization();
    for (const name of ['list_providers', 'list_provider_presets'] as const)
      expect((await service.callError(name, { key })).status).toBe(401);
    expect((await service.callError('connect_provider', { key, body: draft() })).status).toBe(401);
    expect((await service.callError('list_providers', { key: service.keys.member })).status).toBe(401);
  });

  it('to a private address needs the permission of the operator', async () => {
    const strict = await createTestService({ engines: [local] });
    const { models: _, ...body } = draft();
    const result = (await strict.call('test_provider_key', { body })).body;
    await strict.close();
    expect(result).toEqual({
      object: 'provider_test',
      ok: false,
      message: expect.stringMatching(/private or local network/),
    });
  });
});
