import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { useChangingModels } from './testing/changing-models-fixture.ts';

const KEY = 'sk-test-0123456789abcdef';
const fixture = useChangingModels();
let compatible: FakeUpstreamServer;

beforeAll(async () => {
  compatible = await startFakeUpstream(KEY, createFakeOpenAiHandler);
});
afterAll(() => compatible.close());

it('runs a model of a disconnected provider again on another connection of the same provider', async () => {
  const { call, callError } = fixture.service;
  const model = await fixture.add('acme/paint/lora');
  const params = { model_id: model.id };
  const body = { task: model.task, model: model.id, input: { prompt: 'a pear' } };
  const move = (provider_id: string) => ({ params, body: { provider_id } });
  await call('create_generation', { body });

  await call('disconnect_provider', { params: { provider_id: model.provider_id } });
  expect((await callError('create_generation', { body })).error.code).toBe('model_unavailable');
  const { data } = (await call('list_models')).body;
  expect(data.find(({ id }) => id === model.id)).toMatchObject({ available: false });

  const models = [{ task: 'image.create' as const, model: 'imgmodel-a-2' as const, provider_model: 'local-painter' }];
  const other = { provider: 'openai-compatible' as const, key: KEY, address: compatible.base_url, models };
  for (const id of [model.provider_id, 'prv_unknown', (await call('connect_provider', { body: other })).body.id]) {
    const { status, error } = await callError('update_added_model', move(id));
    expect([status, error.details]).toEqual([
      422,
      [{ path: 'provider_id', message: 'Choose a connected provider of the same kind.' }],
    ]);
  }

  const provider_id = await fixture.connect();
  expect((await call('update_added_model', move(provider_id))).body).toMatchObject({ provider_id, version: 1 });
  await call('create_generation', { body });
  expect((await call('compare_added_model', { params })).body.changes).toEqual([]);
});
