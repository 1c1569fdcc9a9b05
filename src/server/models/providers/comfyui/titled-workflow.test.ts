import { describe, expect, it } from 'vitest';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import type { UpstreamEngineJob } from '#server/models/engine/upstream.ts';
import type { ComfyUiWorkflow } from './compile-workflow.ts';
import { prepareWorkflow } from './titled-workflow.ts';

const node = (class_type: string, title: string, inputs: Record<string, unknown>) => ({
  class_type,
  inputs,
  _meta: { title },
});
const workflow: ComfyUiWorkflow = {
  '1': node('CLIPTextEncode', 'prompt', { text: 'old words', clip: ['9', 0] }),
  '2': node('EmptyLatentImage', 'Width, height', { width: 832, height: 416, batch_size: 1 }),
  '3': node('KSampler', 'KSampler', { seed: 5, steps: 20, positive: ['1', 0], latent_image: ['2', 0] }),
  '4': node('LoadImage', 'image_1', { image: 'example.png' }),
  '5': node('LoadImage', 'image_2', { image: 'example.png' }),
  '6': node('ImageScaleToTotalPixels', 'Scale', { image: ['5', 0], megapixels: 1 }),
  '7': node('TextEncodeQwenImageEditPlus', 'Encode', { clip: ['9', 0], image1: ['4', 0], image2: ['6', 0] }),
};

const reference = (path: string, role: string | null = null): ResolvedReference => {
  const media = { kind: 'image', mime_type: 'image/png', extension: 'png', width: 600, height: 800 } as const;
  const shape = { size_bytes: 1, duration_seconds: null, fps: null, has_audio: false };
  return { path, url: 'https://example.com/a.png', role, file: '/a.png', media: { ...media, ...shape } };
};
const build = (
  input: object,
  references: ResolvedReference[] = [],
  more: Partial<UpstreamEngineJob> = {},
  from = workflow,
) =>
  prepareWorkflow(JSON.stringify(from)).build(
    {
      generation_id: 'gen_1',
      submit_key: 'gen_1',
      task: 'image.create',
      model: 'imgmodel-a-2',
      model_version: null,
      input: { prompt: 'a "pear" {{ seed }}', aspect_ratio: '16:9', resolution: '1K', ...input },
      references,
      workDir: '/tmp',
      signal: new AbortController().signal,
      onProgress: () => undefined,
      ...more,
    },
    ({ path }) => `uploaded ${path}`,
  );

describe('a workflow with titled nodes', () => {
  it('gets the prompt, the size and a seed', async () => {
    const built = await build({});
    expect(built['1']?.inputs['text']).toBe('a "pear" {{ seed }}');
    expect(built['2']?.inputs).toEqual({ width: 1360, height: 768, batch_size: 1 });
    expect(built['3']?.inputs['seed']).toEqual(expect.any(Number));
    expect(built['3']?.inputs['seed']).not.toBe(5);
  });

  it.each([
    ['the exported workflow', [], { width: 1456, height: 720 }],
    ['the first image', [reference('reference_images.0')], { width: 880, height: 1184 }],
  ])('takes an automatic shape from %s', async (_name, references, size) => {
    expect((await build({ aspect_ratio: 'auto' }, references))['2']?.inputs).toMatchObject(size);
  });

  it('leaves out the nodes of files that a request does not have', async () => {
    const two = await build({}, [reference('reference_images.0'), reference('reference_images.1')]);
    expect(two['5']?.inputs['image']).toBe('uploaded reference_images.1');
    expect(two['7']?.inputs).toMatchObject({ image1: ['4', 0], image2: ['6', 0] });
    const one = await build({}, [reference('reference_images.0')]);
    expect(Object.keys(one)).toEqual(['1', '2', '3', '4', '7']);
    expect(one['7']?.inputs).toEqual({ clip: ['9', 0], image1: ['4', 0] });
    expect((await build({}))['7']?.inputs).toEqual({ clip: ['9', 0] });
  });

  it('rejects a reference that has no place', async () => {
    const references = [0, 1, 2].map((index) => reference(`reference_images.${index}`));
    await expect(build({}, references)).rejects.toThrow('This model’s workflow has no place for image 3.');
  });

  it('adds roles to the prompt', async () => {
    const built = await build({}, [reference('reference_images.0', 'the coat')]);
    expect(built['1']?.inputs['text']).toBe('a "pear" {{ seed }}\n\nImage 1: the coat');
    const named = await build({ prompt: 'A man in @Image1' }, [reference('reference_images.0')]);
    expect(named['1']?.inputs['text']).toBe('A man in Image 1');
  });

  it('gets the number of frames at the rate of the workflow', async () => {
    const video = {
      '1': node('PrimitiveString', 'prompt', { value: '' }),
      '2': node('EmptyHunyuanLatentVideo', 'width, height, frames', { width: 1, height: 1, length: 1 }),
      '3': node('CreateVideo', 'Create', { images: ['2', 0], fps: 16 }),
    };
    const input = { aspect_ratio: '9:16', resolution: '720p', duration_seconds: 5 };
    const built = await build(input, [], { task: 'video.create', model: 'vidmodel-c-2' }, video);
    expect(built['2']?.inputs).toEqual({ width: 720, height: 1280, length: 81 });
  });

  it('keeps a fixed seed when another node has the title', async () => {
    const seeded = { ...workflow, '8': node('PrimitiveInt', 'seed', { value: 1 }) };
    const built = await build({ seed: 77 }, [], {}, seeded);
    expect([built['8']?.inputs['value'], built['3']?.inputs['seed']]).toEqual([77, 5]);
  });

  it('keeps exported values of options that are not set', async () => {
    const optional = { ...workflow, '8': node('PrimitiveString', 'background', { value: 'as exported' }) };
    const background = async (value: string | null) =>
      (await build({ background: value }, [], {}, optional))['8']?.inputs['value'];
    expect([await background('opaque'), await background(null)]).toEqual(['opaque', 'as exported']);
  });

  it('fits partner nodes, whose inputs have prefixes', async () => {
    const inputs = { 'model.prompt': '', 'model.duration': 5, 'model.images.image_1': ['4', 0], seed: 1 };
    const partner = {
      '1': node('ByteDance2ReferenceNodeV2', 'prompt, duration', inputs),
      '4': node('LoadImage', 'image_1', { image: 'a.png' }),
    };
    const input = { duration_seconds: 8, aspect_ratio: '9:16' };
    const built = await build(input, [], { task: 'video.create', model: 'vidmodel-c-2' }, partner);
    expect(built).toEqual({
      '1': expect.objectContaining({
        inputs: { 'model.prompt': 'a "pear" {{ seed }}', 'model.duration': 8, seed: expect.any(Number) },
      }),
    });
  });

  it('may have placeholders too', async () => {
    const own = { '1': node('Text', 'x', { text: '{{ input.prompt }} in {{ values.width }}', seed: '{{ seed }}' }) };
    expect((await build({}, [], {}, own))['1']?.inputs).toEqual({
      text: 'a "pear" {{ seed }} in 1360',
      seed: expect.any(Number),
    });
  });
});
