import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { startFakeUpstream, type FakeUpstreamServer } from '#server/models/engine/testing/fake-upstream-server.ts';
import type { UpstreamHandle, UpstreamEngineJob, UpstreamState } from '#server/models/engine/upstream.ts';
import { type ComfyUiAdapterOptions, createComfyUiAdapter } from '#server/models/providers/comfyui/comfyui-adapter.ts';
import type { ComfyUiWorkflow } from '#server/models/providers/comfyui/compile-workflow.ts';
import { createWorkflowBuilder } from '#server/models/providers/comfyui/workflow-builder.ts';
import {
  type FakeComfyUiState,
  type FakeComfyUiPrompt,
  createFakeComfyUiHandler,
  createFakeComfyUiState,
} from './fake-comfyui-server.ts';

export const comfyUiNode = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });
export const sampleComfyUiWorkflow: ComfyUiWorkflow = {
  '3': comfyUiNode('KSampler', { seed: '{{ seed }}', steps: 20, positive: ['6', 0], latent_image: ['5', 0] }),
  '4': comfyUiNode('CheckpointLoaderSimple', { ckpt_name: 'base.safetensors' }),
  '5': comfyUiNode('EmptyLatentImage', { width: 512, height: 512 }),
  '6': comfyUiNode('CLIPTextEncode', { text: 'photo of {{ input.prompt }}, sharp', clip: ['4', 1] }),
  '8': comfyUiNode('VAEDecode', { samples: ['3', 0] }),
  '9': comfyUiNode('SaveImage', { images: ['8', 0], filename_prefix: 'emulsion' }),
};

type FixtureOptions = Partial<ComfyUiAdapterOptions> & { workflow?: ComfyUiWorkflow };

export function useComfyUiFixture() {
  let server: FakeUpstreamServer;
  let comfyui: FakeComfyUiState;
  let folder: string;
  beforeEach(async () => {
    comfyui = createFakeComfyUiState();
    server = await startFakeUpstream('secret', (upstream) => createFakeComfyUiHandler(upstream, comfyui));
    server.upstream.outputs = [randomBytes(1_000)];
    folder = await mkdtemp(join(tmpdir(), 'comfyui-'));
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const createAdapter = ({ workflow = sampleComfyUiWorkflow, ...options }: FixtureOptions = {}) =>
    createComfyUiAdapter({
      service: createFetcher().createService(server.base_url),
      api_key: 'secret',
      buildWorkflow: createWorkflowBuilder(workflow),
      ...options,
    });

  const createJob = (more: Partial<UpstreamEngineJob> = {}): UpstreamEngineJob => ({
    generation_id: 'gen_1',
    submit_key: 'gen_1',
    task: 'image.edit',
    model: 'imgmodel-a-2',
    model_version: null,
    input: { prompt: 'a pear' },
    references: [],
    workDir: folder,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...more,
  });

  function acceptedHandle(state: UpstreamState): UpstreamHandle {
    if (state.status !== 'accepted') return expect.fail(`The status is ${state.status}.`);
    return state.handle;
  }

  function getOnlyPrompt(): FakeComfyUiPrompt {
    const [prompt, other] = comfyui.prompts;
    return prompt && !other ? prompt : expect.fail(`There are ${comfyui.prompts.length} prompts.`);
  }

  async function pollAfter(state: 'succeeded' | 'failed' | 'canceled', options: FixtureOptions = {}) {
    const handle = acceptedHandle(await createAdapter(options).submit(createJob()));
    getOnlyPrompt().job.state = state;
    return createAdapter(options).poll(createJob(), handle);
  }

  return {
    createAdapter,
    createJob,
    acceptedHandle,
    getOnlyPrompt,
    pollAfter,
    get server() {
      return server;
    },
    get state() {
      return comfyui;
    },
    get folder() {
      return folder;
    },
  };
}
