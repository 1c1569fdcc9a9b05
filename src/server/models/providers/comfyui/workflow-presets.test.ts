import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ModelChoice } from '#contract/resources/provider.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import {
  createFakeComfyCloudHandler,
  createFakeComfyCloudState,
} from '#server/models/providers/comfy-cloud/testing/fake-comfy-cloud-server.ts';
import { createFakeComfyUiHandler, createFakeComfyUiState } from './testing/fake-comfyui-server.ts';
import {
  type FakeUpstreamServer,
  respondWith,
  startFakeUpstream,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import { createDirectService } from '#server/models/engine/testing/direct-service.ts';
import { walkPreset } from '#server/models/engine/testing/preset-walk.ts';
import type { UpstreamAdapter } from '#server/models/engine/upstream.ts';
import type { PresetModel, ProviderPreset } from '#server/models/providers/preset.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { comfyCloudPreset } from '#server/models/providers/comfy-cloud/comfy-cloud-preset.ts';
import { comfyUiPreset } from './comfyui-preset.ts';
import { readWorkflow } from './read-choice.ts';

const KEY = 'comfyui-0123456789';
const node = (class_type: string, title: string, inputs: Record<string, unknown>) => ({
  class_type,
  inputs,
  _meta: { title },
});

/** A workflow with a place for everything. */
function completeWorkflow(): Record<string, unknown> {
  const files = (kind: string, class_type: string, input: string, count: number) =>
    Array.from({ length: count }, (_, index) => node(class_type, `${kind}_${index + 1}`, { [input]: 'example' }));
  const values = ['prompt', 'aspect_ratio', 'resolution', 'background', 'output_format', 'generate_audio'];
  const nodes = [
    ...values.map((title) => node('PrimitiveString', title, { value: 'exported' })),
    ...['seed', 'duration', 'frames'].map((title) => node('PrimitiveInt', title, { value: 1 })),
    node('EmptyLatentImage', 'width, height', { width: 512, height: 512 }),
    ...['first_frame', 'last_frame'].map((title) => node('LoadImage', title, { image: 'example' })),
    node('LoadImageMask', 'mask', { image: 'example', channel: 'red' }),
    ...files('image', 'LoadImage', 'image', 30),
    ...files('video', 'LoadVideo', 'file', 10),
    ...files('audio', 'LoadAudio', 'audio', 10),
  ].map((one, index) => [`${index + 10}`, one] as const);
  const links = Object.fromEntries(nodes.map(([id]) => [`input_${id}`, [id, 0]]));
  return {
    ...Object.fromEntries(nodes),
    '1': node('TextEncodeQwenImageEditPlus', 'Encode', { clip: ['10', 0], prompt: ['10', 0], ...links }),
    '2': node('SaveImage', 'output', { images: ['1', 0], filename_prefix: 'emulsion' }),
  };
}

/** What a person exports after titling two nodes. */
const SMALL_WORKFLOW = {
  '1': node('PrimitiveString', 'Prompt', { value: '' }),
  '2': node('LoadImage', 'image_1', { image: 'example.png' }),
  '3': node('TextEncodeQwenImageEditPlus', 'Encode', { clip: ['1', 0], prompt: ['1', 0], image1: ['2', 0] }),
  '4': node('SaveImage', 'Save Image', { images: ['3', 0], filename_prefix: 'emulsion' }),
};

const comfyui = createFakeComfyUiState();
const cloud = createFakeComfyCloudState();
let ownServer: FakeUpstreamServer;
let cloudServer: FakeUpstreamServer;
let directory: string;
beforeAll(async () => {
  comfyui.requires_key = false;
  ownServer = await startFakeUpstream(KEY, (upstream) => createFakeComfyUiHandler(upstream, comfyui));
  cloudServer = await startFakeUpstream(KEY, (upstream) => createFakeComfyCloudHandler(upstream, cloud));
  for (const { upstream } of [ownServer, cloudServer]) upstream.outputs = [randomBytes(10)];
  directory = await mkdtemp(join(tmpdir(), 'workflow-presets-'));
});
afterAll(async () => {
  await Promise.all([ownServer.close(), cloudServer.close()]);
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  for (const { upstream } of [ownServer, cloudServer]) upstream.jobs.length = 0;
  comfyui.prompts = [];
  cloud.prompts = [];
});

const connect = ({ base_url }: FakeUpstreamServer, api_key: string | null = KEY): PresetConnection => ({
  api_key,
  address: base_url,
  openService: (address) => createFetcher().createService(address),
  deadlineMs: 60_000,
});

const shapes = new Set<string>();
const connectDirectly = (server: FakeUpstreamServer): PresetConnection => ({
  ...connect(server),
  openService: (address) => createDirectService(createFetcher().createService(address), server.listener, shapes),
});

async function walk(presetModel: PresetModel, workflow: object) {
  const choice = choose(presetModel, JSON.stringify(workflow));
  const isCloud = comfyCloudPreset.models.includes(presetModel);
  const server = isCloud ? cloudServer : ownServer;
  const prompts = () => (isCloud ? cloud.prompts : comfyui.prompts);
  return walkPreset({
    presetModel: { ...presetModel, restrictions: presetModel.restrictChoice?.(choice) ?? [] },
    adapter: presetModel.createAdapter(connectDirectly(server), choice),
    directory: join(directory, `${isCloud}-${presetModel.task}-${presetModel.model}`),
    completeJobs: () => {
      for (const job of server.upstream.jobs) job.state = 'succeeded';
    },
    requests: (from) =>
      prompts()
        .slice(from)
        .map((prompt) => withoutMarks(prompt.workflow)),
  });
}

/** Builds the workflows without a server: these models have thousands of files to upload. */
async function walkBuilds(presetModel: PresetModel, workflow: object) {
  const choice = choose(presetModel, JSON.stringify(workflow));
  const { buildWorkflow: build } = readWorkflow(choice);
  const built: unknown[] = [];
  const output = join(directory, 'built');
  await writeFile(output, 'built');
  const adapter: UpstreamAdapter = {
    supports_submit_key: true,
    async submit(job) {
      built.push(withoutMarks(await build(job, ({ path }) => path)));
      return { status: 'succeeded', result: { files: [output], data: null }, cost_micro_usd: null };
    },
    poll: () => Promise.reject(new Error('Nothing to poll')),
    cancel: () => Promise.resolve(),
  };
  return walkPreset({
    presetModel,
    adapter,
    directory: join(directory, `built-${presetModel.model}`),
    completeJobs: () => undefined,
    requests: (from) => built.slice(from),
  });
}

/** Seeds and marks derive from the submit key, so they differ for equal requests. */
const withoutMarks = (workflow: Readonly<Record<string, { inputs: object; class_type: string }>>) =>
  Object.entries(workflow).filter(([, { class_type }]) => class_type !== 'SaveImage');

const choose = ({ task, model }: Pick<PresetModel, 'task' | 'model'>, workflow?: string): ModelChoice => ({
  task,
  model,
  markup_percent: null,
  ...(workflow === undefined ? {} : { workflow }),
});
const named = (preset: ProviderPreset) =>
  preset.models.map((presetModel) => [`${presetModel.task} ${presetModel.model}`, presetModel] as const);

describe('every input of a model reaches a workflow with a place for it', () => {
  const uploaded = named(comfyUiPreset).filter(([, { model }]) =>
    ['imgmodel-a-2', 'imgmodel-d-5-pro', 'omni-video'].includes(model),
  );
  it.each(uploaded)('%s', async (_name, presetModel) => {
    const report = await walk(presetModel, completeWorkflow());
    expect(report).toMatchObject({ failures: [], restricted: [], rejected: [] });
    expect(report.succeeded).toBeGreaterThan(5);
  });

  const manyFiles = named(comfyUiPreset).filter(([, { model }]) => model.startsWith('vidmodel-'));
  it.each(manyFiles)('%s, without uploads', async (_name, presetModel) => {
    const report = await walkBuilds(presetModel, completeWorkflow());
    expect(report).toMatchObject({ failures: [], restricted: [], rejected: [] });
    expect(report.succeeded).toBeGreaterThan(5);
  });

  it.each(
    named(comfyCloudPreset).filter(
      ([, { task, model }]) => model === 'omni-video' || (task === 'image.edit' && model === 'imgmodel-b-2-lite'),
    ),
  )('Comfy Cloud: %s', async (_name, presetModel) => {
    const report = await walk(presetModel, completeWorkflow());
    expect(report).toMatchObject({ failures: [], restricted: [], rejected: [] });
  });
});

describe('a workflow with few titles', () => {
  it.each(named(comfyUiPreset))('restricts the form: %s', async (_name, presetModel) => {
    const report = await walk(presetModel, SMALL_WORKFLOW);
    expect(report).toMatchObject({ failures: [], rejected: [] });
    expect(report.restricted).toContain('This model’s workflow sets “Shape” itself.');
  });

  it('says how many references it takes', () => {
    const [presetModel] = comfyUiPreset.models;
    const rules = presetModel?.restrictChoice?.(choose(presetModel, JSON.stringify(SMALL_WORKFLOW)));
    expect(rules?.map(({ message }) => message)).toContain('This model’s workflow has 1 place for “Reference images”.');
  });
});

describe('a deselected model', () => {
  it('needs no workflow', () => {
    const [presetModel] = comfyUiPreset.models;
    expect(presetModel?.createAdapter(connect(ownServer), choose(presetModel))).toBeDefined();
  });
});

describe('the check', () => {
  const { signal } = new AbortController();
  it('names the version and the device of a ComfyUI', async () => {
    const sentence = 'ComfyUI 0.28.0 responded, on cuda:0 NVIDIA RTX 6000.';
    expect(await comfyUiPreset.check(connect(ownServer, null), signal)).toBe(sentence);
    expect(await comfyUiPreset.check(connect(ownServer), signal)).toBe(
      `${sentence} The key is not tested: only partner nodes use it.`,
    );
  });

  it('proves the key of Comfy Cloud', async () => {
    expect(await comfyCloudPreset.check(connect(cloudServer), signal)).toBe('The key works.');
    await expect(comfyCloudPreset.check(connect(cloudServer, 'comfyui-wrong'), signal)).rejects.toMatchObject({
      code: 'model_unavailable',
    });
    await expect(comfyUiPreset.check(connect(cloudServer, null), signal)).rejects.toThrow();
  });

  it.each([
    ['ComfyUI', comfyUiPreset, () => ownServer],
    ['Comfy Cloud', comfyCloudPreset, () => cloudServer],
  ] as const)('rejects a server that is not %s', async (name, preset, server) => {
    server().injectFault(respondWith(200, '{"hello": 1}'));
    await expect(preset.check(connect(server()), signal)).rejects.toThrow(`The server is not ${name}.`);
  });
});
