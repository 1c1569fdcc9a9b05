import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUN_PRICE } from '#contract/added-models/testing/run-price.ts';
import type { AddedModel, ModelSource } from '#contract/resources/added-model.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import {
  type FakeUpstreamServer,
  sendJson,
  startFakeUpstream,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import { fakeObjectInfo } from '#server/models/providers/comfyui/testing/fake-comfyui-nodes.ts';
import {
  createFakeComfyUiHandler,
  createFakeComfyUiState,
} from '#server/models/providers/comfyui/testing/fake-comfyui-server.ts';
import { FAKE_REPLICATE_MODELS, versionId } from '#server/models/providers/replicate/testing/fake-replicate-schemas.ts';
import {
  createFakeReplicateHandler,
  createFakeReplicateState,
} from '#server/models/providers/replicate/testing/fake-replicate-server.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { checkDrift } from './check-drift.ts';

const DAY_MS = 24 * 3_600_000;
const KEY = 'r8_0123456789';
const account = createFakeReplicateState();
/** What a node class of the fake ComfyUI has instead. */
const nodes = new Map<string, unknown>();
let service: TestService;
let replicate: FakeUpstreamServer;
let comfyui: FakeUpstreamServer;

beforeAll(async () => {
  service = await createTestService({ fetcher: createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] }) });
  replicate = await startFakeUpstream(KEY, (upstream) => createFakeReplicateHandler(upstream, account));
  comfyui = await startFakeUpstream(KEY, (upstream) => {
    const serve = createFakeComfyUiHandler(upstream, { ...createFakeComfyUiState(), requires_key: false });
    return (request, response) => {
      const class_type = request.url?.split('/object_info/')[1] ?? '';
      if (nodes.has(class_type)) sendJson(response, 200, nodes.get(class_type));
      else serve(request, response);
    };
  });
});
afterAll(async () => {
  await Promise.all([service.close(), replicate.close(), comfyui.close()]);
});

async function publish(source: Omit<ModelSource, 'overrides'>): Promise<AddedModel> {
  const { hash, name, suggested } = (await service.call('inspect_model', { body: source })).body;
  const price = { ...RUN_PRICE, unit_price_micro_usd: 100_000 };
  const body = { ...source, hash, name, task: suggested.task, price };
  const { id } = (await service.call('create_added_model', { body })).body;
  const params = { model_id: id };
  return (await service.call('update_added_model', { params, body: { state: 'published' } })).body;
}

/** A day later. */
async function check({ id }: AddedModel) {
  service.deps.clock.advance(DAY_MS);
  await checkDrift(
    service.deps,
    { organization_id: service.organization_id, model_id: id },
    new AbortController().signal,
  );
  const { state, drift } = (await service.call('get_added_model', { params: { model_id: id } })).body;
  return { state, changes: drift?.changes.map(({ text, breaks }) => [text, breaks]) ?? [] };
}

describe('a model of Replicate', () => {
  let provider_id: string;
  beforeAll(async () => {
    const models = [{ task: 'image.create' as const, model: 'imgmodel-b-2' as const }];
    const body = { provider: 'replicate' as const, key: KEY, address: replicate.base_url, models };
    provider_id = (await service.call('connect_provider', { body })).body.id;
  });

  const changeVersions = (name: string, change: (versions: [string, object][]) => [string, object][]) => {
    account.models = account.models.map((model) =>
      model.name === name
        ? { ...model, versions: Object.fromEntries(change(Object.entries(model.versions))) as typeof model.versions }
        : model,
    );
  };
  /** The document without a choice of a list. */
  const withoutOption = (document: object, option: string): object =>
    JSON.parse(JSON.stringify(document).replace(`,"${option}"`, ''));

  it('that is pinned stays published while its version is there, and is paused when it is gone', async () => {
    const reader = await publish({ provider_id, address: 'acme/reader' });
    expect(await check(reader)).toEqual({ state: 'published', changes: [] });
    changeVersions('reader', ([[id, document] = ['', {}]]) => [
      [id, document],
      [versionId('e'), withoutOption(document, 'Cleo')],
    ]);
    expect(await check(reader)).toEqual({ state: 'published', changes: [[expect.stringContaining('Cleo'), false]] });
    changeVersions('reader', ([, newer]) => (newer ? [newer] : []));
    expect(await check(reader)).toEqual({ state: 'paused', changes: [[expect.stringMatching(/\.$/), true]] });
    account.models = FAKE_REPLICATE_MODELS;
  });

  it('that is official is paused when its form no longer fits, or it is gone', async () => {
    const sharpen = await publish({ provider_id, address: 'acme/sharpen' });
    changeVersions('sharpen', ([[id, document] = ['', {}]]) => [
      [id, JSON.parse(JSON.stringify(document).replace('"enum":[2,4]', '"enum":[2]'))],
    ]);
    expect(await check(sharpen)).toEqual({ state: 'paused', changes: [[expect.stringContaining('4'), true]] });
    account.models = account.models.filter(({ name }) => name !== 'sharpen');
    expect(await check(sharpen)).toMatchObject({ state: 'paused', changes: [[expect.any(String), true]] });
    account.models = FAKE_REPLICATE_MODELS;
  });
});

it('a workflow of ComfyUI is paused when a node takes other values, or is not installed any more', async () => {
  const text = { class_type: 'CLIPTextEncode', inputs: { text: 'a pear', clip: ['4', 1] } };
  const workflow = JSON.stringify({
    '3': {
      class_type: 'KSampler',
      inputs: { seed: 1, steps: 20, sampler_name: 'euler', positive: ['6', 0], latent_image: ['5', 0] },
    },
    '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'base.safetensors' } },
    '5': { class_type: 'EmptyLatentImage', inputs: { width: 512, height: 512 } },
    '6': text,
    '8': { class_type: 'VAEDecode', inputs: { samples: ['3', 0] } },
    '9': { class_type: 'SaveImage', inputs: { images: ['8', 0], filename_prefix: 'emulsion' } },
  });
  const titled = JSON.stringify({
    '1': { class_type: 'PrimitiveString', inputs: { value: '' }, _meta: { title: 'prompt' } },
  });
  const models = [{ task: 'image.create' as const, model: 'imgmodel-a-2' as const, workflow: titled }];
  const connection = { provider: 'comfyui' as const, address: comfyui.base_url, models };
  const provider_id = (await service.call('connect_provider', { body: connection })).body.id;
  const inputs = [
    { node: '6', input: 'text', name: 'prompt' },
    { node: '3', input: 'sampler_name' },
  ];
  const body = { provider_id, address: 'Pears', workflow };
  const usual = (await service.call('inspect_model', { body })).body;
  expect(usual.inputs?.map(({ name }) => name)).toEqual(usual.contract.fields.map(({ name }) => name));
  expect((await service.call('inspect_model', { body: { ...body, inputs } })).body.inputs).toEqual(inputs);
  const model = await publish({ ...body, inputs });
  expect(await check(model)).toEqual({ state: 'published', changes: [] });
  const sampler = JSON.parse(JSON.stringify(fakeObjectInfo('KSampler')).replace('"euler","heun"', '"euler"'));
  nodes.set('KSampler', sampler);
  expect(await check(model)).toMatchObject({ state: 'paused', changes: [[expect.stringContaining('heun'), true]] });
  nodes.set('KSampler', {});
  expect(await check(model)).toMatchObject({ state: 'paused', changes: [[expect.any(String), expect.any(Boolean)]] });
});
