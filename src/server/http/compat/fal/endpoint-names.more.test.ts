import { describe, expect, it } from 'vitest';
import { falPreset } from '#server/models/providers/fal/fal-preset.ts';
import { falFixture } from './testing/fal-fixture.ts';
import { silentWav } from './testing/wav.ts';

const fal = falFixture();
const CLIP = [
  ['bytedance/seedance-2.0', 'vidmodel-c-2'],
  ['bytedance/seedance-2.0/fast', 'vidmodel-c-2-fast'],
  ['bytedance/seedance-2.0/mini', 'vidmodel-c-2-mini'],
  ['bytedance/seedance-2.5', 'vidmodel-c-2.5'],
] as const;
const IMAGES = [
  ['openai/gpt-image-2', 'openai/gpt-image-2/edit', 'imgmodel-a-2'],
  ['openai/gpt-image-2.5/flare/text-to-image', 'openai/gpt-image-2.5/flare/edit', 'imgmodel-a-2.5-flare'],
  ['openai/gpt-image-2.5/sunburst/text-to-image', 'openai/gpt-image-2.5/sunburst/edit', 'imgmodel-a-2.5-sunburst'],
  ['fal-ai/nano-banana-2', 'fal-ai/nano-banana-2/edit', 'imgmodel-b-2'],
  ['google/nano-banana-2-lite', 'google/nano-banana-lite/edit', 'imgmodel-b-2-lite'],
  ['fal-ai/nano-banana-pro', 'fal-ai/nano-banana-pro/edit', 'imgmodel-b-pro'],
  ['bytedance/seedream/v5/pro/text-to-image', 'bytedance/seedream/v5/pro/edit', 'imgmodel-d-5-pro'],
] as const;
const OMNI = 'google/gemini-omni-flash/v1.1';

const prompt = 'hang on';
const IMAGE_FILE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SOUND_FILE = `data:audio/wav;base64,${Buffer.from(silentWav(176_400)).toString('base64')}`;
const link = { url: expect.stringContaining('/media/upl_') as string };

/** Orders, cancels and returns what was ordered. */
async function order(endpoint: string, input: Record<string, unknown>) {
  const response = await fal.fetch('POST', `/queue/${endpoint}`, { prompt, ...input });
  const body = (await response.json()) as { request_id: string };
  expect(response.status, JSON.stringify(body)).toBe(200);
  await fal.fetch('PUT', `/queue/${endpoint}/requests/${body.request_id}/cancel`);
  return fal.read(body.request_id);
}

describe('an endpoint of fal', () => {
  it.each(IMAGES)('%s creates and %s edits with %s', async (create, edit, model) => {
    expect(await order(create, {})).toMatchObject({ task: 'image.create', model });
    expect(await order(edit, { image_urls: [IMAGE_FILE] })).toMatchObject({
      task: 'image.edit',
      model,
      input: { images: [link] },
    });
  });

  it.each(CLIP)('%s/… makes clips with %s', async (base, model) => {
    const shape = { resolution: '480P', aspect_ratio: 'auto', generate_audio: false };
    expect(await order(`${base}/text-to-video`, { ...shape, duration: '5' })).toMatchObject({
      task: 'video.create',
      model,
      input: { duration_seconds: 5, resolution: '480p', aspect_ratio: 'adaptive', generate_audio: false },
    });
    const frames = { image_url: IMAGE_FILE, end_image_url: IMAGE_FILE, aspect_ratio: 'auto', duration: 6 };
    expect(await order(`${base}/image-to-video`, frames)).toMatchObject({
      task: 'video.create',
      model,
      input: { first_frame: link, last_frame: link, duration_seconds: 6 },
    });
    const references = { image_urls: [IMAGE_FILE, IMAGE_FILE], audio_urls: [SOUND_FILE] };
    expect(await order(`${base}/reference-to-video`, references)).toMatchObject({
      task: 'video.create',
      model,
      input: { reference_images: [link, link], reference_audio: [link] },
    });
  });

  it('of Gemini Omni leads to the model that fal has', async () => {
    for (const name of ['text-to-video', 'reference-to-video'])
      expect(await order(`${OMNI}/${name}`, { resolution: '720p', duration: 4 })).toMatchObject({
        task: 'video.create',
        model: 'omni-video-flash',
        input: { duration_seconds: 4 },
      });
  });

  it.each([
    ['fal-ai/sync-lipsync/v3', 'video.lipsync'],
    ['bytedance/seedance-2.5/reference-to-video', 'video.edit'],
  ])('%s can mean %s', async (endpoint, task) => {
    const source = { video_url: 'http://example.com/a.mp4', audio_url: SOUND_FILE };
    const sent =
      task === 'video.edit'
        ? { prompt, task: 'editing', video_urls: ['http://example.com/a.mp4'], duration: 'auto', aspect_ratio: 'auto' }
        : source;
    const response = await fal.fetch('POST', `/queue/${endpoint}`, sent);
    const path = task === 'video.edit' ? 'video_urls' : 'video_url';
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [{ loc: ['body', path], msg: expect.stringMatching(/https/) }],
    });
  });

  it('is among the names of the provider', () => {
    const names = falPreset.models.flatMap((model) => model.names ?? []);
    const tried = [
      ...IMAGES.flatMap(([create, edit]) => [create, edit]),
      ...CLIP.flatMap(([base]) => ['text', 'image', 'reference'].map((source) => `${base}/${source}-to-video`)),
      ...['text', 'reference'].map((source) => `${OMNI}/${source}-to-video`),
      'fal-ai/sync-lipsync/v3',
    ];
    expect(new Set(names)).toEqual(new Set(tried));
  });
});

it.each([
  ['openai/gpt-image-2.5/flare/text-to-image', { width: 2048, height: 2048 }, { size: '2048x2048' }],
  ['openai/gpt-image-2.5/flare/text-to-image', 'square_hd', { size: '1024x1024' }],
  ['bytedance/seedream/v5/pro/text-to-image', 'landscape_16_9', { aspect_ratio: '16:9' }],
])('%s takes image_size %j', async (endpoint, image_size, input) => {
  expect(await order(endpoint, { image_size })).toMatchObject({ input });
});

it.each([
  [{ image_url: IMAGE_FILE }, 'image.edit'],
  [{}, 'image.create'],
])('takes our ids, with %j for %s', async (parameters, task) => {
  expect(await order('emulsion/imgmodel-b-2', parameters)).toMatchObject({ task, model: 'imgmodel-b-2' });
});

it('takes our own fields, and tasks without models', async () => {
  const own = await order('emulsion/imgmodel-b-2', { aspect_ratio: '16:9', output_format: 'jpeg' });
  expect(own).toMatchObject({ input: { aspect_ratio: '16:9', output_format: 'jpeg' } });
  const response = await fal.fetch('POST', '/queue/emulsion/video.trim', { video_url: 'http://example.com/a.mp4' });
  expect(response.status).toBe(422);
  expect(JSON.stringify(await response.json())).toContain('video_url');
});
