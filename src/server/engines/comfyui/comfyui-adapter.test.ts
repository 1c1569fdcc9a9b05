import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeUpstreamConformance } from '../testing/upstream-conformance.ts';
import { respondWith, truncateResponse } from '../testing/fake-upstream-server.ts';
import type { ResolvedReference } from '../engine.ts';
import { createComfyUiAdapter } from './comfyui-adapter.ts';
import { comfyUiNode, useComfyUiFixture, sampleComfyUiWorkflow } from '../testing/comfyui-fixture.ts';
import { createFakeComfyUiHandler } from '../testing/fake-comfyui-server.ts';
import type { ComfyUiWorkflow } from './compile-workflow.ts';

/** The same from a picture instead of noise. */
const from_image: ComfyUiWorkflow = {
  ...sampleComfyUiWorkflow,
  '5': comfyUiNode('VAEEncode', { pixels: ['10', 0] }),
  '10': comfyUiNode('LoadImage', { image: '{{ $file(references[0]) }}' }),
};
const input = { prompt: 'a pear' };

describeUpstreamConformance('comfyui', {
  createHandler: createFakeComfyUiHandler,
  createAdapter: (options) => createComfyUiAdapter({ ...options, workflow: sampleComfyUiWorkflow }),
  job: { task: 'image.create', model: 'imgmodel-a-2', input },
  cancelable_states: ['queued', 'running'],
  returns_urls: true,
  has_no_content_filter: true,
});

const bench = useComfyUiFixture();
const { adapter, job, handleOf, onlyPrompt } = bench;

async function reference(path: string, bytes = randomBytes(2_000)): Promise<ResolvedReference> {
  const file = join(bench.folder, `reference-${path}`);
  await writeFile(file, bytes);
  const media = { kind: 'image', mime_type: 'image/png', extension: 'png', width: 8, height: 8 } as const;
  const shape = { size_bytes: bytes.length, duration_seconds: null, fps: null, has_audio: false };
  return { path, url: 'https://example.com/a.png', role: null, file, media: { ...media, ...shape } };
}

/** The first request of a submit asks what is there; this one prompts. */
function cutOffPrompt(): void {
  bench.server.injectFault((_request, _response, serve) => serve());
  bench.server.injectFault((_request, _response, serve) => serve());
  bench.server.injectFault(truncateResponse);
}

describe('a submit to comfyui', () => {
  it('fills the workflow in', async () => {
    await adapter().submit(job({ input: { prompt: 'a "pear" {{ seed }}' } }));
    const { workflow: sent } = onlyPrompt();
    expect(sent['6']?.inputs).toEqual({ text: 'photo of a "pear" {{ seed }}, sharp', clip: ['4', 1] });
    expect(sent['4']).toEqual(sampleComfyUiWorkflow['4']);
    expect(sent['3']?.inputs['seed']).toEqual(expect.any(Number));
  });

  it('takes the seed from the input, else from the key', async () => {
    await adapter().submit(job({ submit_key: 'gen_1' }));
    await adapter().submit(job({ submit_key: 'gen_2' }));
    await adapter().submit(job({ submit_key: 'gen_3', input: { ...input, seed: 7 } }));
    const [one, two, three] = bench.state.prompts.map(({ workflow: sent }) => sent['3']?.inputs['seed']);
    expect(one).not.toBe(two);
    expect(three).toBe(7);
  });

  it('sends the files that the workflow names, under the name of their content', async () => {
    const [first, other] = [await reference('images.0'), await reference('images.1')];
    await adapter({ workflow: from_image }).submit(job({ references: [first, other] }));
    const name = String(onlyPrompt().workflow['10']?.inputs['image']);
    expect(name).toMatch(/^emulsion\/[0-9a-f]{40}\.png$/);
    expect([...bench.state.inputs]).toEqual([[name, await readFile(first.file)]]);
  });

  it('is one prompt for one key, though the answer was lost', async () => {
    cutOffPrompt();
    await expect(adapter().submit(job())).rejects.toMatchObject({ name: 'ResponseLostError' });
    const handle = handleOf(await adapter().submit(job()));
    expect(handle).toEqual({ prompt_id: onlyPrompt().id });
    onlyPrompt().job.state = 'succeeded';
    expect(handleOf(await adapter().submit(job()))).toEqual(handle);
    expect(onlyPrompt().job.state).toBe('succeeded');
  });

  it('takes it for accepted that the prompt has just come to be there', async () => {
    const handle = handleOf(await adapter().submit(job()));
    bench.server.injectFault(respondWith(200, '{"queue_running":[],"queue_pending":[]}'));
    bench.server.injectFault(respondWith(200, '{}'));
    expect(handleOf(await adapter().submit(job()))).toEqual(handle);
    expect(handle).toEqual({ prompt_id: onlyPrompt().id });
  });

  it('finds its prompt in the queue of an old server, which names it itself', async () => {
    bench.state.is_legacy = true;
    cutOffPrompt();
    await expect(adapter().submit(job())).rejects.toMatchObject({ name: 'ResponseLostError' });
    expect(handleOf(await adapter().submit(job()))).toEqual({ prompt_id: onlyPrompt().id });
  });

  const without = (id: string, ...names: string[]): ComfyUiWorkflow => {
    const { class_type = '', inputs = {} } = sampleComfyUiWorkflow[id] ?? {};
    const kept = Object.entries(inputs).filter(([name]) => !names.includes(name));
    return { ...sampleComfyUiWorkflow, [id]: comfyUiNode(class_type, Object.fromEntries(kept)) };
  };
  it.each<[string, ComfyUiWorkflow, string]>([
    [
      'an input that is missing',
      without('5', 'width', 'height'),
      'ComfyUI can’t run this workflow: node 5 (EmptyLatentImage): Required input is missing (width), Required input is missing (height).',
    ],
    [
      'a node that is not installed',
      { ...sampleComfyUiWorkflow, '11': comfyUiNode('Upscale9000', {}) },
      "ComfyUI can’t run this workflow: Node 'Upscale9000' not found. The custom node may not be installed. (Node ID '#11').",
    ],
    [
      'a workflow without outputs',
      { '4': sampleComfyUiWorkflow['4'] ?? expect.fail() },
      'ComfyUI can’t run this workflow: Prompt has no outputs.',
    ],
    [
      'a placeholder that finds nothing',
      from_image,
      'ComfyUI can’t run this workflow: node 10 (LoadImage): Required input is missing (image).',
    ],
  ])('says in words why it is refused: %s', async (_name, wrong, message) => {
    await expect(adapter({ workflow: wrong }).submit(job())).rejects.toMatchObject({ name: 'EngineError', message });
    expect(bench.state.prompts).toEqual([]);
  });

  it.each(['queued', 'running'] as const)('takes back a prompt of which only a part can run: %s', async (state) => {
    const half = { ...sampleComfyUiWorkflow, '12': comfyUiNode('SaveImage', { images: ['8', 0] }) };
    for (let request = 1; request <= 3; request += 1) bench.server.injectFault((_request, _response, serve) => serve());
    bench.server.injectFault((_request, _response, serve) => {
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
