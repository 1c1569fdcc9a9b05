import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createFakeComfyUiHandler,
  createFakeComfyUiState,
} from '#server/models/providers/comfyui/testing/fake-comfyui-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

let comfyui: FakeUpstreamServer;
let service: TestService;
beforeAll(async () => {
  const state = { ...createFakeComfyUiState(), requires_key: false };
  comfyui = await startFakeUpstream('unused', (upstream) => createFakeComfyUiHandler(upstream, state));
  service = await createTestService({
    engines: [createScriptedEngine()],
    fetcher: createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] }),
  });
});
afterAll(async () => {
  await service.close();
  await comfyui.close();
});

const choice = { task: 'image.create' as const, model: 'imgmodel-a-2' as const };
const workflow = JSON.stringify({
  '1': { class_type: 'PrimitiveString', inputs: { value: '' }, _meta: { title: 'prompt' } },
});
const readRestrictions = async () => {
  const { body } = await service.call('list_models', { key: null });
  const tasks = body.data.find(({ id }) => id === choice.model)?.tasks;
  return tasks?.find(({ task }) => task === choice.task)?.restrictions?.map(({ message }) => message) ?? [];
};
const connect = (text: string | undefined) => ({
  provider: 'comfyui' as const,
  address: comfyui.base_url,
  models: [{ ...choice, ...(text === undefined ? {} : { workflow: text }) }],
});

it('rejects a workflow that cannot run, at its field', async () => {
  const { status, error } = await service.callError('connect_provider', { body: connect('{"nodes": []}') });
  expect([status, error.details?.[0]?.path]).toEqual([422, 'models.0.workflow']);
  expect((await service.callError('connect_provider', { body: connect(undefined) })).status).toBe(422);
});

it('restricts the form to what the workflow takes, and keeps it when prices change', async () => {
  const { body: connected } = await service.call('connect_provider', { body: connect(workflow) });
  const restrictions = await readRestrictions();
  expect(restrictions).toContain('This model’s workflow has no place for “Reference images”.');
  const at = { params: { provider_id: connected.id } };
  await service.call('update_provider', { ...at, body: { models: [{ ...choice, markup_percent: 20 }] } });
  expect(await readRestrictions()).toEqual(restrictions);
  const other = { ...choice, model: 'imgmodel-b-2' as const };
  const { error } = await service.callError('update_provider', { ...at, body: { models: [other] } });
  expect(error.details?.[0]?.path).toBe('models.0.workflow');
});
