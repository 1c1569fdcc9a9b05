import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFetcher } from '../../net/fetch.ts';
import { describeUpstream } from '../conformance.ts';
import { answers, cutsOff, openStudio, type StudioServer } from '../conformance-studio.ts';
import type { ResolvedReference } from '../engine.ts';
import type { UpstreamHandle, UpstreamJob, UpstreamState } from '../upstream.ts';
import { type ComfyUiAdapterOptions, createComfyUiAdapter } from './comfyui-adapter.ts';
import type { Workflow } from './compile-workflow.ts';
import { type ComfyMachine, type ComfyPrompt, comfyUiProtocol, newMachine } from './test-comfyui.ts';

const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });
const workflow: Workflow = {
  '3': node('KSampler', { seed: '{{ seed }}', steps: 20, positive: ['6', 0], latent_image: ['5', 0] }),
  '4': node('CheckpointLoaderSimple', { ckpt_name: 'base.safetensors' }),
  '5': node('EmptyLatentImage', { width: 512, height: 512 }),
  '6': node('CLIPTextEncode', { text: 'photo of {{ input.prompt }}, sharp', clip: ['4', 1] }),
  '8': node('VAEDecode', { samples: ['3', 0] }),
  '9': node('SaveImage', { images: ['8', 0], filename_prefix: 'emulsion' }),
};
/** The same from a picture instead of noise. */
const from_image: Workflow = {
  ...workflow,
  '5': node('VAEEncode', { pixels: ['10', 0] }),
  '10': node('LoadImage', { image: '{{ $file(references[0]) }}' }),
};
const input = { prompt: 'a pear' };

describeUpstream('comfyui', {
  protocol: comfyUiProtocol,
  adapter: (options) => createComfyUiAdapter({ ...options, workflow }),
  job: { task: 'image.create', model: 'imgmodel-a-2', input },
  cancels: ['queued', 'running'],
  gives_urls: true,
  never_refuses_content: true,
});

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
  input,
  references: [],
  work_dir: folder,
  signal: new AbortController().signal,
  onProgress: () => undefined,
  ...more,
});

async function reference(path: string, bytes = randomBytes(2_000)): Promise<ResolvedReference> {
  const file = join(folder, `reference-${path}`);
  await writeFile(file, bytes);
  const media = { kind: 'image', mime_type: 'image/png', extension: 'png', width: 8, height: 8 } as const;
  const shape = { size_bytes: bytes.length, duration_seconds: null, fps: null, has_audio: false };
  return { path, url: 'https://example.com/a.png', role: null, file, media: { ...media, ...shape } };
}

function handleOf(state: UpstreamState): UpstreamHandle {
  if (state.status !== 'accepted') return expect.fail(`It is ${state.status}.`);
  return state.handle;
}

function onlyPrompt(): ComfyPrompt {
  const [prompt, other] = machine.prompts;
  return prompt && !other ? prompt : expect.fail(`There are ${machine.prompts.length} prompts.`);
}

/** The first request of a submit asks what is there; this one prompts. */
function cutOffPrompt(): void {
  server.interfere((_request, _response, serve) => serve());
  server.interfere((_request, _response, serve) => serve());
  server.interfere(cutsOff);
}

async function ended(state: 'succeeded' | 'failed' | 'canceled', options: Partial<ComfyUiAdapterOptions> = {}) {
  const handle = handleOf(await adapter(options).submit(job()));
  onlyPrompt().job.state = state;
  return adapter(options).poll(job(), handle);
}

describe('a submit to comfyui', () => {
  it('fills the workflow in', async () => {
    await adapter().submit(job({ input: { prompt: 'a "pear" {{ seed }}' } }));
    const { workflow: sent } = onlyPrompt();
    expect(sent['6']?.inputs).toEqual({ text: 'photo of a "pear" {{ seed }}, sharp', clip: ['4', 1] });
    expect(sent['4']).toEqual(workflow['4']);
    expect(sent['3']?.inputs['seed']).toEqual(expect.any(Number));
  });

  it('takes the seed from the input, else from the key', async () => {
    await adapter().submit(job({ submit_key: 'gen_1' }));
    await adapter().submit(job({ submit_key: 'gen_2' }));
    await adapter().submit(job({ submit_key: 'gen_3', input: { ...input, seed: 7 } }));
    const [one, two, three] = machine.prompts.map(({ workflow: sent }) => sent['3']?.inputs['seed']);
    expect(one).not.toBe(two);
    expect(three).toBe(7);
  });

  it('sends the files that the workflow names, under the name of their content', async () => {
    const [first, other] = [await reference('images.0'), await reference('images.1')];
    await adapter({ workflow: from_image }).submit(job({ references: [first, other] }));
    const name = String(onlyPrompt().workflow['10']?.inputs['image']);
    expect(name).toMatch(/^emulsion\/[0-9a-f]{40}\.png$/);
    expect([...machine.inputs]).toEqual([[name, await readFile(first.file)]]);
  });

  it('is one prompt for one key, though the answer was lost', async () => {
    cutOffPrompt();
    await expect(adapter().submit(job())).rejects.toMatchObject({ name: 'AnswerLost' });
    const handle = handleOf(await adapter().submit(job()));
    expect(handle).toEqual({ prompt_id: onlyPrompt().id });
    onlyPrompt().job.state = 'succeeded';
    expect(handleOf(await adapter().submit(job()))).toEqual(handle);
    expect(onlyPrompt().job.state).toBe('succeeded');
  });

  it('takes it for accepted that the prompt has just come to be there', async () => {
    const handle = handleOf(await adapter().submit(job()));
    server.interfere(answers(200, '{"queue_running":[],"queue_pending":[]}'));
    server.interfere(answers(200, '{}'));
    expect(handleOf(await adapter().submit(job()))).toEqual(handle);
    expect(handle).toEqual({ prompt_id: onlyPrompt().id });
  });

  it('finds its prompt in the queue of an old server, which names it itself', async () => {
    machine.old = true;
    cutOffPrompt();
    await expect(adapter().submit(job())).rejects.toMatchObject({ name: 'AnswerLost' });
    expect(handleOf(await adapter().submit(job()))).toEqual({ prompt_id: onlyPrompt().id });
  });

  const without = (id: string, ...names: string[]): Workflow => {
    const { class_type = '', inputs = {} } = workflow[id] ?? {};
    const kept = Object.entries(inputs).filter(([name]) => !names.includes(name));
    return { ...workflow, [id]: node(class_type, Object.fromEntries(kept)) };
  };
  it.each<[string, Workflow, string]>([
    [
      'an input that is missing',
      without('5', 'width', 'height'),
      'ComfyUI can’t run this workflow: node 5 (EmptyLatentImage): Required input is missing (width), Required input is missing (height).',
    ],
    [
      'a node that is not installed',
      { ...workflow, '11': node('Upscale9000', {}) },
      "ComfyUI can’t run this workflow: Node 'Upscale9000' not found. The custom node may not be installed. (Node ID '#11').",
    ],
    [
      'a workflow without outputs',
      { '4': workflow['4'] ?? expect.fail() },
      'ComfyUI can’t run this workflow: Prompt has no outputs.',
    ],
    [
      'a placeholder that finds nothing',
      from_image,
      'ComfyUI can’t run this workflow: node 10 (LoadImage): Required input is missing (image).',
    ],
  ])('says in words why it is refused: %s', async (_name, wrong, message) => {
    await expect(adapter({ workflow: wrong }).submit(job())).rejects.toMatchObject({ name: 'EngineError', message });
    expect(machine.prompts).toEqual([]);
  });

  it.each(['queued', 'running'] as const)('takes back a prompt of which only a part can run: %s', async (state) => {
    const half = { ...workflow, '12': node('SaveImage', { images: ['8', 0] }) };
    for (let request = 1; request <= 3; request += 1) server.interfere((_request, _response, serve) => serve());
    server.interfere((_request, _response, serve) => {
      onlyPrompt().job.state = state;
      serve();
    });
    await expect(adapter({ workflow: half }).submit(job())).rejects.toMatchObject({
      name: 'EngineError',
      message:
        'ComfyUI can’t run the whole workflow: node 12 (SaveImage): Required input is missing (filename_prefix).',
    });
    expect(onlyPrompt().job.state).toBe('canceled');
  });
});

describe('a poll of comfyui', () => {
  const finished = { value: 1, max: 1, state: 'finished' };
  const nodes = { '4': finished, '6': finished, '5': finished, '3': { value: 10, max: 20, state: 'running' } };
  it.each<[string, unknown[] | null, number | null]>([
    ['its websocket', [{ type: 'progress_state', data: { prompt_id: 'ours', nodes } }], 13 / 25],
    ['nothing where it says nothing of the prompt', [], null],
    ['nothing where there is no websocket', null, null],
  ])('learns how far it is from %s', async (_name, says, progress) => {
    const handle = handleOf(await adapter().submit(job()));
    const { id, job: work } = onlyPrompt();
    work.state = 'running';
    machine.says = says && [
      { type: 'executing', data: { node: '3' } },
      ...JSON.parse(JSON.stringify(says).replace('ours', id)),
    ];
    expect(await adapter().poll(job(), handle)).toEqual({ status: 'accepted', handle, progress });
  });

  it('ends its listening with the reason when it is aborted', async () => {
    const handle = handleOf(await adapter().submit(job()));
    onlyPrompt().job.state = 'running';
    const controller = new AbortController();
    server.interfere((_request, _response, serve) => serve());
    server.interfere(() => controller.abort(new Error('No longer wanted')));
    await expect(adapter().poll(job({ signal: controller.signal }), handle)).rejects.toThrow('No longer wanted');
  });

  it('takes the last node that saved something for good', async () => {
    const more = {
      ...workflow,
      '10': node('SaveImage', { images: ['8', 0], filename_prefix: 'late' }),
      '12:3': node('PreviewImage', { images: ['8', 0] }),
    };
    expect(await ended('succeeded', { workflow: more })).toMatchObject({ status: 'succeeded', cost_micro_usd: null });
    expect(machine.views).toEqual([{ filename: '10_0_.png', subfolder: 'made here', type: 'output' }]);
  });

  it('takes the node that is named, a preview too', async () => {
    const more = { ...workflow, '12:3': node('PreviewImage', { images: ['8', 0] }) };
    await ended('succeeded', { workflow: more, output_node: '12:3' });
    expect(machine.views).toEqual([{ filename: '12:3_0_.png', subfolder: 'made here', type: 'temp' }]);
  });

  it('leaves to a person what the named node did not save', async () => {
    const state = await ended('succeeded', { output_node: '77' });
    expect(state).toMatchObject({ status: 'unclear', reason: expect.stringContaining('node 77') });
  });

  it('leaves to a person what a restart made it forget', async () => {
    const handle = handleOf(await adapter().submit(job()));
    machine.prompts = [];
    const state = await adapter().poll(job(), handle);
    expect(state).toMatchObject({ status: 'unclear', reason: expect.stringContaining('restarted'), result: null });
  });

  it.each<[string, ComfyMachine['exception'], string, boolean]>([
    [
      'an exception',
      { message: 'mat1 and mat2 shapes cannot be multiplied\n', type: 'RuntimeError' },
      'ComfyUI failed at node 3 (KSampler): mat1 and mat2 shapes cannot be multiplied.',
      false,
    ],
    [
      'no memory',
      { message: 'Allocation on device 0 would exceed allowed memory.', type: 'torch.OutOfMemoryError' },
      'ComfyUI ran out of graphics memory. Try a smaller size or fewer references.',
      true,
    ],
  ])('says why it broke: %s', async (_name, exception, message, retryable) => {
    machine.exception = exception;
    await expect(ended('failed')).rejects.toMatchObject({ name: 'EngineError', message, retryable });
  });
});

describe('a cancel at comfyui', () => {
  it('does not stop the prompt of somebody else', async () => {
    machine.old = true;
    const ours = handleOf(await adapter().submit(job()));
    await adapter().submit(job({ submit_key: 'gen_2' }));
    const [waiting, other] = machine.prompts;
    if (!waiting || !other) return expect.fail();
    other.job.state = 'running';
    await adapter().cancel(ours, new AbortController().signal);
    expect([waiting.job.state, other.job.state]).toEqual(['canceled', 'running']);
    expect(machine.interrupts).toEqual([]);
  });

  it('names the prompt that it stops', async () => {
    const handle = handleOf(await adapter().submit(job()));
    onlyPrompt().job.state = 'running';
    await adapter().cancel(handle, new AbortController().signal);
    expect(machine.interrupts).toEqual([{ prompt_id: onlyPrompt().id }]);
    expect(onlyPrompt().job.state).toBe('canceled');
  });
});
