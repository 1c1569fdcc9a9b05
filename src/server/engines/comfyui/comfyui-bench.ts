import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { createFetcher } from '../../net/fetch.ts';
import { openStudio, type StudioServer } from '../conformance-studio.ts';
import type { UpstreamHandle, UpstreamJob, UpstreamState } from '../upstream.ts';
import { type ComfyUiAdapterOptions, createComfyUiAdapter } from './comfyui-adapter.ts';
import type { Workflow } from './compile-workflow.ts';
import { type ComfyMachine, type ComfyPrompt, comfyUiProtocol, newMachine } from './comfyui-studio.ts';

export const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });
export const workflow: Workflow = {
  '3': node('KSampler', { seed: '{{ seed }}', steps: 20, positive: ['6', 0], latent_image: ['5', 0] }),
  '4': node('CheckpointLoaderSimple', { ckpt_name: 'base.safetensors' }),
  '5': node('EmptyLatentImage', { width: 512, height: 512 }),
  '6': node('CLIPTextEncode', { text: 'photo of {{ input.prompt }}, sharp', clip: ['4', 1] }),
  '8': node('VAEDecode', { samples: ['3', 0] }),
  '9': node('SaveImage', { images: ['8', 0], filename_prefix: 'emulsion' }),
};

/** A fresh ComfyUI and work folder for each test of the file that calls it. */
export function useComfyBench() {
  let server: StudioServer;
  let machine: ComfyMachine;
  let folder: string;
  beforeEach(async () => {
    machine = newMachine();
    server = await openStudio('secret', (studio) => comfyUiProtocol(studio, machine));
    server.studio.outputs = [randomBytes(1_000)];
    folder = await mkdtemp(join(tmpdir(), 'comfyui-'));
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const adapter = (options: Partial<ComfyUiAdapterOptions> = {}) =>
    createComfyUiAdapter({
      service: createFetcher().service(server.base_url),
      api_key: 'secret',
      workflow,
      ...options,
    });

  const job = (more: Partial<UpstreamJob> = {}): UpstreamJob => ({
    generation_id: 'gen_1',
    submit_key: 'gen_1',
    task: 'image.edit',
    model: 'imgmodel-a-2',
    input: { prompt: 'a pear' },
    references: [],
    work_dir: folder,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...more,
  });

  function handleOf(state: UpstreamState): UpstreamHandle {
    if (state.status !== 'accepted') return expect.fail(`It is ${state.status}.`);
    return state.handle;
  }

  function onlyPrompt(): ComfyPrompt {
    const [prompt, other] = machine.prompts;
    return prompt && !other ? prompt : expect.fail(`There are ${machine.prompts.length} prompts.`);
  }

  async function ended(state: 'succeeded' | 'failed' | 'canceled', options: Partial<ComfyUiAdapterOptions> = {}) {
    const handle = handleOf(await adapter(options).submit(job()));
    onlyPrompt().job.state = state;
    return adapter(options).poll(job(), handle);
  }

  return {
    adapter,
    job,
    handleOf,
    onlyPrompt,
    ended,
    get server() {
      return server;
    },
    get machine() {
      return machine;
    },
    get folder() {
      return folder;
    },
  };
}
