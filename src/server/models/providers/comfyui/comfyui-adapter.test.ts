import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeUpstreamConformance } from '#server/models/engine/testing/upstream-conformance.ts';
import { truncateResponse } from '#server/models/engine/testing/fake-upstream-server.ts';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { createComfyUiAdapter } from './comfyui-adapter.ts';
import { comfyUiNode, useComfyUiFixture, sampleComfyUiWorkflow } from './testing/comfyui-fixture.ts';
import { createFakeComfyUiHandler } from './testing/fake-comfyui-server.ts';
import type { ComfyUiWorkflow } from './compile-workflow.ts';
import { createWorkflowBuilder } from './workflow-builder.ts';

const fromImage: ComfyUiWorkflow = {
  ...sampleComfyUiWorkflow,
  '5': comfyUiNode('VAEEncode', { pixels: ['10', 0] }),
  '10': comfyUiNode('LoadImage', { image: '{{ $file(references[0]) }}' }),
};
const input = { prompt: 'a pear' };

describeUpstreamConformance('comfyui', {
  createHandler: createFakeComfyUiHandler,
  createAdapter: (options) =>
    createComfyUiAdapter({ ...options, buildWorkflow: createWorkflowBuilder(sampleComfyUiWorkflow) }),
  job: { task: 'image.create', model: 'imgmodel-a-2', input },
  cancelable_states: ['queued', 'running'],
  returns_urls: true,
  has_no_content_filter: true,
});

const bench = useComfyUiFixture();
const { createAdapter, createJob, acceptedHandle, getOnlyPrompt } = bench;

async function reference(path: string, bytes = randomBytes(2_000)): Promise<ResolvedReference> {
  const file = join(bench.folder, `reference-${path}`);
  await writeFile(file, bytes);
  const media = { kind: 'image', mime_type: 'image/png', extension: 'png', width: 8, height: 8 } as const;
  const shape = { size_bytes: bytes.length, duration_seconds: null, fps: null, has_audio: false };
  return { path, url: 'https://example.com/a.png', role: null, file, media: { ...media, ...shape } };
}

/** The first two requests of a submit look the prompt up; the third queues it. */
function truncatePromptResponse(): void {
  bench.server.injectFault((_request, _response, serve) => serve());
  bench.server.injectFault((_request, _response, serve) => serve());
  bench.server.injectFault(truncateResponse);
}

describe('submitting to ComfyUI', () => {
  it('fills in the placeholders of the workflow', async () => {
    await createAdapter().submit(createJob({ input: { prompt: 'a "pear" {{ seed }}' } }));
    const { workflow: sent } = getOnlyPrompt();
    expect(sent['6']?.inputs).toEqual({ text: 'photo of a "pear" {{ seed }}, sharp', clip: ['4', 1] });
    expect(sent['4']).toEqual(sampleComfyUiWorkflow['4']);
    expect(sent['3']?.inputs['seed']).toEqual(expect.any(Number));
  });

  it('uses the seed of the input, else one derived from the submit key', async () => {
    await createAdapter().submit(createJob({ submit_key: 'gen_1' }));
    await createAdapter().submit(createJob({ submit_key: 'gen_2' }));
    await createAdapter().submit(createJob({ submit_key: 'gen_3', input: { ...input, seed: 7 } }));
    const [one, two, three] = bench.state.prompts.map(({ workflow: sent }) => sent['3']?.inputs['seed']);
    expect(one).not.toBe(two);
    expect(three).toBe(7);
  });

  it('uploads the files that the workflow uses, named by their content', async () => {
    const [first, other] = [await reference('images.0'), await reference('images.1')];
    await createAdapter({ workflow: fromImage }).submit(createJob({ references: [first, other] }));
    const name = String(getOnlyPrompt().workflow['10']?.inputs['image']);
    expect(name).toMatch(/^emulsion\/[0-9a-f]{40}\.png$/);
    expect([...bench.state.inputs]).toEqual([[name, await readFile(first.file)]]);
  });

  it('queues one prompt for one submit key, even if the response was lost', async () => {
    truncatePromptResponse();
    await expect(createAdapter().submit(createJob())).rejects.toMatchObject({ name: 'ResponseLostError' });
    const handle = acceptedHandle(await createAdapter().submit(createJob()));
    expect(handle).toEqual({ prompt_id: getOnlyPrompt().id });
    getOnlyPrompt().job.state = 'succeeded';
    expect(acceptedHandle(await createAdapter().submit(createJob()))).toEqual(handle);
    expect(getOnlyPrompt().job.state).toBe('succeeded');
  });

  it('finds a prompt whose response was lost', async () => {
    const lost = { ...createJob(), submitted_at: new Date() };
    expect(await createAdapter().findLostSubmit?.(lost)).toBeNull();
    truncatePromptResponse();
    await expect(createAdapter().submit(createJob())).rejects.toMatchObject({ name: 'ResponseLostError' });
    expect(await createAdapter().findLostSubmit?.(lost)).toEqual({ prompt_id: getOnlyPrompt().id });
  });

  it('sends a key of a Comfy account with the prompt and not as a token', async () => {
    bench.state.requires_key = false;
    await createAdapter({ key_use: 'partner_nodes', api_key: 'comfyui-key' }).submit(createJob());
    expect(getOnlyPrompt().extra_data['api_key_comfy_org']).toBe('comfyui-key');
    bench.state.requires_key = true;
    await expect(createAdapter({ key_use: 'partner_nodes' }).submit(createJob())).rejects.toMatchObject({
      name: 'EngineError',
    });
  });

  it('finds the prompt on an older server that chooses the id', async () => {
    bench.state.is_legacy = true;
    truncatePromptResponse();
    await expect(createAdapter().submit(createJob())).rejects.toMatchObject({ name: 'ResponseLostError' });
    expect(acceptedHandle(await createAdapter().submit(createJob()))).toEqual({ prompt_id: getOnlyPrompt().id });
  });

  const without = (id: string, ...names: string[]): ComfyUiWorkflow => {
    const { class_type = '', inputs = {} } = sampleComfyUiWorkflow[id] ?? {};
    const remaining = Object.entries(inputs).filter(([name]) => !names.includes(name));
    return { ...sampleComfyUiWorkflow, [id]: comfyUiNode(class_type, Object.fromEntries(remaining)) };
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
      fromImage,
      'ComfyUI can’t run this workflow: node 10 (LoadImage): Required input is missing (image).',
    ],
  ])('reports why a prompt was rejected: %s', async (_name, wrong, message) => {
    await expect(createAdapter({ workflow: wrong }).submit(createJob())).rejects.toMatchObject({
      name: 'EngineError',
      message,
    });
    expect(bench.state.prompts).toEqual([]);
  });

  it.each(['queued', 'running'] as const)('cancels a %s prompt when only part of it can run', async (state) => {
    const half = { ...sampleComfyUiWorkflow, '12': comfyUiNode('SaveImage', { images: ['8', 0] }) };
    for (let request = 1; request <= 3; request += 1) bench.server.injectFault((_request, _response, serve) => serve());
    bench.server.injectFault((_request, _response, serve) => {
      getOnlyPrompt().job.state = state;
      serve();
    });
    await expect(createAdapter({ workflow: half }).submit(createJob())).rejects.toMatchObject({
      name: 'EngineError',
      message:
        'ComfyUI can’t run the whole workflow: node 12 (SaveImage): Required input is missing (filename_prefix).',
    });
    expect(getOnlyPrompt().job.state).toBe('canceled');
  });
});
