import { beforeAll, describe, expect, it } from 'vitest';
import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';

import { presentInput, translateValues } from './compat-prediction-input.ts';

const media = useMediaFixture();
const service = useSharedService(() => ({ engines: [createScriptedEngine()] }));
let studio: TestOrganization;
let image: string;
let video: string;
let sound: string;

beforeAll(async () => {
  studio = await service.createOrganization('1000.00');
  const upload = async (file: string) => (await media.upload(service.get(), studio.organization_id, file)).url;
  [image, video, sound] = [await upload(media.picture()), await upload(media.clip()), await upload(media.sound())];
});

/** `IMAGE`, `VIDEO` and `SOUND` in an input are uploads. */
const withMedia = (input: unknown): unknown =>
  JSON.parse(JSON.stringify(input), (_, value: unknown) =>
    value === 'IMAGE' ? image : value === 'VIDEO' ? video : value === 'SOUND' ? sound : value,
  );

async function order(slug: string, input: Record<string, unknown>): Promise<{ status: number; body: unknown }> {
  const response = await service.get().app.inject({
    method: 'POST',
    url: `/compat/replicate/v1/models/${slug}/predictions`,
    headers: { authorization: `Bearer ${studio.key}` },
    payload: { input: withMedia(input) },
  });
  return { status: response.statusCode, body: response.json() };
}

async function place(slug: string, input: Record<string, unknown>): Promise<Generation> {
  const { status, body } = await order(slug, input);
  if (status !== 201) return expect.fail(JSON.stringify(body));
  const { id } = body as { id: string };
  return (await studio.call('get_generation', { params: { generation_id: id } })).body;
}

describe('an input in the words of Replicate', () => {
  const IMAGE = [{ url: expect.stringContaining('/media/upl_') as string }];
  const prompt = 'a harbour';

  it.each([
    ['openai/gpt-image-2', {}, 'image.create', { aspect_ratio: 'auto', resolution: '1K' }],
    [
      'openai/gpt-image-2',
      { input_images: [], image: '', seed: [], style: {} },
      'image.create',
      { aspect_ratio: 'auto' },
    ],
    ['openai/gpt-image-2', { num_outputs: 1, disable_safety_checker: false }, 'image.create', {}],
    ['google/nano-banana-2', { num_outputs: 1, size: '1536x1024' }, 'image.create', { aspect_ratio: '3:2' }],
    ['openai/gpt-image-2', { input_images: ['IMAGE'] }, 'image.edit', { images: IMAGE }],
    ['openai/gpt-image-2', { images: ['IMAGE'] }, 'image.edit', { images: IMAGE }],
    ['openai/gpt-image-2', { reference_images: ['IMAGE'] }, 'image.create', { reference_images: IMAGE }],
    ['openai/gpt-image-2', { aspect_ratio: '3840x2160' }, 'image.create', { aspect_ratio: '16:9', resolution: '4K' }],
    ['openai/gpt-image-2', { aspect_ratio: '1536x1024' }, 'image.create', { aspect_ratio: '3:2', resolution: '1K' }],
    ['openai/gpt-image-2', { quality: 'medium', output_format: 'png', number_of_images: 1 }, 'image.create', {}],
    ['openai/gpt-image-2', { background: 'opaque', moderation: 'auto', seed: null }, 'image.create', {}],
    [
      'openai/gpt-image-2.5-flare',
      { aspect_ratio: '2048x2048', quality: 'high' },
      'image.create',
      { size: '2048x2048' },
    ],
    ['openai/gpt-image-2.5-flare', { background: 'auto' }, 'image.create', { quality: 'low' }],
    ['google/nano-banana-2', { output_format: 'jpg' }, 'image.create', { output_format: 'jpeg' }],
    ['google/nano-banana-2', { aspect_ratio: 'match_input_image' }, 'image.create', { aspect_ratio: 'auto' }],
    ['google/nano-banana-pro', { image_input: ['IMAGE'], resolution: '2K' }, 'image.edit', { images: IMAGE }],
    ['google/nano-banana-pro', { allow_fallback_model: false }, 'image.create', {}],
    ['bytedance/seedream-5-pro', { size: '2K', max_images: 1 }, 'image.create', { resolution: '2K' }],
    ['bytedance/seedream-5-pro', { image: 'IMAGE' }, 'image.edit', { images: IMAGE }],
    [
      'bytedance/seedance-2.0',
      { duration: 5, resolution: '4k' },
      'video.create',
      { duration_seconds: 5, resolution: '4K' },
    ],
    ['bytedance/seedance-2.0', { duration: '6' }, 'video.create', { duration_seconds: 6 }],
    [
      'bytedance/seedance-2.0',
      { image: 'IMAGE', last_frame_image: 'IMAGE' },
      'video.create',
      { first_frame: IMAGE[0], last_frame: IMAGE[0] },
    ],
    [
      'bytedance/seedance-2.5',
      { reference_images: ['IMAGE'], reference_audios: ['SOUND'] },
      'video.create',
      { generate_audio: true },
    ],
    ['bytedance/seedance-2.5', { video: 'VIDEO', generate_audio: false }, 'video.edit', { generate_audio: false }],
    ['emulsion/imgmodel-b-2', { image_input: ['IMAGE'] }, 'image.edit', { images: IMAGE }],
  ])('of %s: %j is %s', async (slug, input, task, expected) => {
    const placed = await place(slug, { prompt, ...input });
    expect(placed).toMatchObject({ task, input: expected });
  });

  it.each([
    ['openai/gpt-image-2', { quality: 'auto' }, 'input.quality'],
    ['openai/gpt-image-2', { output_format: 'webp' }, 'input.output_format'],
    ['openai/gpt-image-2', { output_compression: 90 }, 'input.output_compression'],
    ['openai/gpt-image-2', { num_outputs: 2 }, 'input.num_outputs'],
    ['google/nano-banana-2', { size: '512x512' }, 'input.size'],
    ['openai/gpt-image-2', { moderation: 'low' }, 'input.moderation'],
    ['openai/gpt-image-2', { aspect_ratio: '17x4' }, 'input.aspect_ratio'],
    ['openai/gpt-image-2', { input_images: ['IMAGE'], images: ['IMAGE'] }, 'input.images'],
    ['openai/gpt-image-2', { input_images: Array.from({ length: 17 }, () => 'IMAGE') }, 'input.input_images'],
    ['google/nano-banana-2-lite', { output_format: 'jpg' }, 'input.output_format'],
    ['google/nano-banana-pro', { safety_filter_level: 'block_only_high' }, 'input.safety_filter_level'],
    ['google/nano-banana-pro', { allow_fallback_model: true }, 'input.allow_fallback_model'],
    ['bytedance/seedream-5-pro', { max_images: 4 }, 'input.max_images'],
    ['bytedance/seedance-2.0', { duration: -1 }, 'input.duration'],
    ['bytedance/seedance-2.0', { duration: 99 }, 'input.duration'],
    ['bytedance/seedance-2.0', { seed: 7 }, 'input.seed'],
    ['bytedance/seedance-2.0', { constructor: 1 }, 'input.constructor'],
  ])('of %s: %j is refused at %s', async (slug, input, field) => {
    const { status, body } = await order(slug, { prompt, ...input });
    expect(status).toBe(422);
    expect(body).toMatchObject({ invalid_fields: [{ field }] });
  });

  it('runs a tool that has no model', async () => {
    const placed = await place('emulsion/video.extract_frame', { video: 'VIDEO' });
    expect(placed).toMatchObject({ task: 'video.extract_frame', model: null });
  });
});

describe('an input of an added model', () => {
  const added = { normalized: { hidden: { scheduler: 'K', steps: 20 } } } as unknown as AddedModelVersion;
  const translate = (input: Record<string, unknown>) => translateValues({} as never, added, input);

  it('has constants only as they are', () => {
    expect(translate({ prompt: 'x', scheduler: 'K', steps: null })).toEqual({ prompt: 'x' });
    expect(() => translate({ prompt: 'x', steps: 21 })).toThrow('steps is always 20 here.');
  });
});

it('presents an input with addresses, without what is not set', () => {
  const url = 'https://x.test/a.png';
  const input = { prompt: 'x', seed: null, image: { url }, images: [{ url, role: null }], size: { width: 1, url } };
  expect(presentInput(input)).toEqual({ prompt: 'x', image: url, images: [url], size: { width: 1, url } });
});
