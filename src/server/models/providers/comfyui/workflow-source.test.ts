import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChosenComfyInput } from '#contract/added-models/comfyui-schema.ts';
import { createAddedJob, readAddedModel } from '#server/models/engine/testing/added-model-fixture.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { comfyCloudPreset } from '#server/models/providers/comfy-cloud/comfy-cloud-preset.ts';
import {
  createFakeComfyCloudHandler,
  createFakeComfyCloudState,
} from '#server/models/providers/comfy-cloud/testing/fake-comfy-cloud-server.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { comfyUiPreset } from './comfyui-preset.ts';
import type { ComfyUiWorkflow } from './compile-workflow.ts';
import { createFakeComfyUiHandler, createFakeComfyUiState } from './testing/fake-comfyui-server.ts';

const KEY = 'comfyui-0123456789';
const node = (class_type: string, inputs: Record<string, unknown>, title = class_type) => ({
  class_type,
  inputs,
  _meta: { title },
});
const WORKFLOW: ComfyUiWorkflow = {
  '3': node('KSampler', { seed: 1_040, steps: 20, positive: ['6', 0], negative: ['7', 0], latent_image: ['5', 0] }),
  '4': node('CheckpointLoaderSimple', { ckpt_name: 'base.safetensors' }),
  '5': node('VAEEncode', { pixels: ['10', 0] }),
  '6': node('CLIPTextEncode', { text: 'a cat', clip: ['4', 1] }, 'CLIP Text Encode (Prompt)'),
  '7': node('CLIPTextEncode', { text: 'blurry', clip: ['4', 1] }, 'CLIP Text Encode (Prompt)'),
  '8': node('VAEDecode', { samples: ['3', 0] }),
  '9': node('SaveImage', { images: ['8', 0], filename_prefix: 'emulsion' }),
  '10': node('LoadImage', { image: 'example.png' }, 'Load Image'),
};

describe.each([
  ['comfyui', comfyUiPreset],
  ['comfy-cloud', comfyCloudPreset],
] as const)('workflows that are added to %s', (provider, { name, added }) => {
  const source = added ?? expect.fail('The preset adds no models.');
  let server: FakeUpstreamServer;
  let workDir: string;
  let requests: string[];
  let prompts: () => readonly { workflow: ComfyUiWorkflow }[];
  let inputs: Map<string, Buffer>;
  beforeEach(async () => {
    requests = [];
    server = await startFakeUpstream(KEY, (upstream) => {
      const [own, cloud] = [createFakeComfyUiState(), createFakeComfyCloudState()];
      own.requires_key = false;
      prompts = () => (provider === 'comfyui' ? own.prompts : cloud.prompts);
      inputs = provider === 'comfyui' ? own.inputs : cloud.inputs;
      const serve =
        provider === 'comfyui' ? createFakeComfyUiHandler(upstream, own) : createFakeComfyCloudHandler(upstream, cloud);
      return (request, response) => {
        requests.push(`${request.method} ${request.url}`);
        serve(request, response);
      };
    });
    server.upstream.outputs = [randomBytes(50)];
    workDir = await mkdtemp(join(tmpdir(), 'workflow-source-'));
  });
  afterEach(async () => {
    await server.close();
    await rm(workDir, { recursive: true });
  });

  const connection = (): PresetConnection => ({
    api_key: KEY,
    address: server.base_url,
    openService: (address) => createFetcher().createService(address),
    deadlineMs: 60_000,
  });
  const add = (workflow: object | undefined = WORKFLOW, chosen: ChosenComfyInput[] | null = null) =>
    readAddedModel(
      source,
      connection(),
      { provider_model: 'Product photo', workflow: workflow as ComfyUiWorkflow, inputs: chosen },
      provider,
    );
  async function run(model: Awaited<ReturnType<typeof add>>, input: Record<string, unknown>, submit_key?: string) {
    const job = await createAddedJob(model.version, input, workDir, submit_key);
    const adapter = source.createAdapter(connection(), model.version);
    const state = await adapter.submit(job);
    if (state.status !== 'accepted') return expect.fail(state.status);
    for (const each of server.upstream.jobs) each.state = 'succeeded';
    const sent = prompts().at(-1)?.workflow ?? expect.fail('There is no prompt.');
    return { sent, state: await adapter.poll(job, state.handle) };
  }

  it('takes a plain name as its address', () => {
    expect(source.parseAddress('  Product photo ')).toEqual({
      provider_model: 'Product photo',
      provider_version: null,
    });
    for (const text of ['', 'a'.repeat(81), 'https://example.com', 'two\nlines', '\u202eoto'])
      expect(source.parseAddress(text)).toBeNull();
  });

  it('reads only what the nodes of the workflow take', async () => {
    const { snapshot } = await add();
    const { object_info } = snapshot.document as { object_info: Record<string, unknown> };
    expect(Object.keys(object_info).sort()).toEqual(
      [...new Set(Object.values(WORKFLOW).map(({ class_type }) => class_type))].sort(),
    );
    expect(requests).toHaveLength(provider === 'comfyui' ? Object.keys(object_info).length : 1);
    expect(snapshot).toMatchObject({ name: 'Product photo', published_price: null, is_deprecated: false });
  });

  it.each<[string, object | undefined, string]>([
    ['no workflow', undefined, 'A workflow is required.'],
    ['the format of the editor', { nodes: [], links: [] }, 'not a workflow in API format'],
    ['a workflow that is too large', { '1': node('A'.repeat(200_001), {}) }, 'at most 200,000 characters'],
  ])('rejects %s', async (_name, workflow, message) => {
    await expect(
      source.read(
        connection(),
        { provider_model: 'A', provider_version: null, workflow: workflow as ComfyUiWorkflow },
        new AbortController().signal,
      ),
    ).rejects.toThrow(message);
    expect(requests).toEqual([]);
  });

  it('names the nodes that the server lacks', async () => {
    await expect(add({ ...WORKFLOW, '11': node('Upscale 9000/x', {}) })).rejects.toMatchObject({
      code: 'model_unavailable',
      message: `${name} does not have the node “Upscale 9000/x”. Install what is missing, or choose another workflow.`,
    });
  });

  it('chooses prompts, files, seeds and steps', async () => {
    const { normalized, provider_data, candidates } = await add();
    expect(normalized.contract.fields).toMatchObject([
      { name: 'prompt', label: 'Prompt', kind: 'text', default: 'a cat' },
      { name: 'seed', kind: 'integer', nullable: true, default: null },
      { name: 'steps', kind: 'integer', default: 20, max: 10_000 },
      { name: 'negative_prompt', label: 'Negative prompt', default: 'blurry' },
      { name: 'image', label: 'Load image', kind: 'reference', media: 'image', required: true },
    ]);
    expect(normalized).toMatchObject({ hidden: {}, advanced: null, media: { image: 'image' }, notes: {} });
    expect(provider_data).toMatchObject({ workflow: WORKFLOW, targets: { prompt: { node: '6', input: 'text' } } });
    expect(candidates?.map(({ input }) => input)).toContain('ckpt_name');
  });

  it('chooses the inputs of titled nodes', async () => {
    const { normalized } = await add({
      ...WORKFLOW,
      '6': node('CLIPTextEncode', { text: 'a cat', clip: ['4', 1] }, 'Prompt'),
      '10': node('LoadImage', { image: 'example.png' }, 'image_1'),
    });
    expect(normalized.contract.fields.map((field) => field.name)).toEqual(['prompt', 'seed', 'image_1']);
    await expect(add({ ...WORKFLOW, '4': node('CheckpointLoaderSimple', {}, 'prompt') })).rejects.toMatchObject({
      name: 'SchemaError',
      message: expect.stringContaining('has no input for it'),
    });
  });

  it('keeps its hash while files on the server change', async () => {
    const { normalized, snapshot } = await add();
    const changed = JSON.parse(JSON.stringify(snapshot).replace('["example.png"]', '["example.png","new.png"]'));
    expect((await source.normalize(changed, {})).normalized.hash).toBe(normalized.hash);
    const other = JSON.parse(JSON.stringify(snapshot).replace('"max":10000', '"max":50'));
    expect((await source.normalize(other, {})).normalized.hash).not.toBe(normalized.hash);
  });

  it('puts values at their targets and leaves the rest as exported', async () => {
    const input = { prompt: 'a "pear" {{ seed }}', seed: 7, image: { url: 'https://example.com/a.png' } };
    const { sent, state } = await run(await add(), input);
    expect(sent['6']?.inputs['text']).toBe('a "pear" {{ seed }}');
    expect(sent['7']?.inputs['text']).toBe('blurry');
    expect(sent['3']?.inputs).toMatchObject({ seed: 7, steps: 20, positive: ['6', 0] });
    const uploaded = String(sent['10']?.inputs['image']);
    expect([...inputs]).toEqual([[uploaded, Buffer.from('the file at image')]]);
    if (state.status !== 'succeeded') return expect.fail(state.status);
    expect(await Promise.all(state.result.files.map((file) => readFile(file)))).toEqual(server.upstream.outputs);
    expect(state.result.data).toBeNull();
  });

  it.each([
    ['as a field that is left empty', null],
    ['without a field', [{ node: '6', input: 'text', name: 'prompt' }]],
  ] as const)('draws a seed %s', async (_name, chosen) => {
    const model = await add(WORKFLOW, chosen && [...chosen]);
    const input = { prompt: 'A pear', ...(chosen ? {} : { image: { url: 'https://example.com/a.png' } }) };
    if (chosen) inputs.set('example.png', Buffer.from('exported'));
    const drawn = async (submit_key: string) => (await run(model, input, submit_key)).sent['3']?.inputs['seed'];
    expect(new Set([await drawn('gen_1'), await drawn('gen_2'), 1_040]).size).toBe(3);
  });

  it('draws the seed of a primitive node with that title', async () => {
    const { '10': _file, ...rest } = WORKFLOW;
    const { inputs: sampler = {} } = WORKFLOW['3'] ?? {};
    const model = await add({
      ...rest,
      '3': node('KSampler', { ...sampler, seed: ['12', 0], latent_image: ['11', 0] }),
      '5': node('VAEEncode', { pixels: ['11', 0] }),
      '11': node('EmptyLatentImage', { width: 512, height: 512 }),
      '12': node('PrimitiveInt', { value: 1_040 }, 'Seed'),
    });
    expect(model.normalized.contract.fields).toContainEqual(
      expect.objectContaining({ name: 'seed', nullable: true, default: null }),
    );
    expect((await run(model, {})).sent['12']?.inputs['value']).not.toBe(1_040);
    expect((await run(model, { seed: 5 }, 'gen_2')).sent['12']?.inputs['value']).toBe(5);
  });

  it('returns what all nodes saved: images, sound, clips and texts, and links to other files', async () => {
    const workflow = {
      '1': node('PrimitiveString', { value: 'a cat' }, 'Text'),
      '2': node('SaveImage', { images: ['1', 0], filename_prefix: 'a' }),
      '3': node('SaveAudio', { audio: ['1', 0], filename_prefix: 'a' }),
      '4': node('VHS_VideoCombine', { images: ['1', 0], filename_prefix: 'a' }),
      '5': node('PreviewAny', { source: ['1', 0] }),
      '6': node('SaveGLB', { mesh: ['1', 0] }),
      '7': node('PreviewImage', { images: ['1', 0] }),
    };
    const model = await add(workflow);
    const { files, has_data } = model.normalized.output;
    expect(files.map(({ kind }) => kind)).toEqual(['image', 'audio', 'video', 'file', 'image']);
    expect(has_data).toBe(true);
    const { state } = await run(model, { prompt: 'a pear' });
    if (state.status !== 'succeeded') return expect.fail(state.status);
    expect(state.result.files).toHaveLength(3);
    expect(state.result.data).toEqual({
      texts: ['A pear on a table.'],
      other_files: [
        {
          name: expect.stringMatching(/\.glb$/),
          url: expect.stringMatching(new RegExp(`^${server.base_url}/view\\?filename=.*\\.glb`)),
        },
      ],
    });
  });

  it('returns a text alone', async () => {
    const workflow = {
      '1': node('PrimitiveString', { value: 'a cat' }, 'Text'),
      '5': node('PreviewAny', { source: ['1', 0] }, 'output'),
    };
    const { state } = await run(await add(workflow, [{ node: '1', input: 'value' }]), { value: 'a pear' });
    expect(state).toMatchObject({
      status: 'succeeded',
      result: { files: [], data: { texts: ['A pear on a table.'] } },
    });
  });

  it('fails the jobs of a version whose workflow is missing', async () => {
    const { version } = await add();
    const adapter = source.createAdapter(connection(), { ...version, provider_data: null });
    const job = await createAddedJob(version, { image: { url: 'https://example.com/a.png' } }, workDir);
    await expect(adapter.submit(job)).rejects.toMatchObject({ code: 'engine_failed' });
  });
});
