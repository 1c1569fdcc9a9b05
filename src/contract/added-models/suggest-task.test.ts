import { describe, expect, it } from 'vitest';
import type { TaskId } from '../ids.ts';
import { normalizeFal, normalizeReplicate } from './provider-schemas.ts';
import { suggestTask } from './suggest-task.ts';
import { falDocument } from './testing/fal-document.ts';

const FILE = { type: 'object', properties: { url: { type: 'string' } } };
const uri = { type: 'string', format: 'uri' };
const at = (name: string) => `https://files.test/run/${name}?sig=1`;

const cogDocument = (properties: object, output: object) => ({
  components: { schemas: { Input: { type: 'object', properties }, Output: output } },
});

describe('a model without a category', () => {
  it.each<[string, object, object, unknown, unknown, TaskId]>([
    [
      'pictures',
      { prompt: { type: 'string' } },
      { type: 'array', items: uri },
      { prompt: 'A pear' },
      [at('0.webp')],
      'image.create',
    ],
    [
      'pictures of a picture',
      { image: uri, prompt: { type: 'string' } },
      uri,
      { image: at('a.jpg') },
      at('out.png'),
      'image.edit',
    ],
    ['a video', { image: uri }, uri, { image: at('a.jpg') }, at('out.mp4'), 'video.create'],
    ['a video of a video', { video: uri }, uri, { video: at('a.mov') }, at('out.mp4'), 'video.edit'],
    [
      'a video and its frames',
      { prompt: { type: 'string' } },
      { type: 'array', items: uri },
      {},
      [at('frames.zip'), at('a.png'), at('a.mp4')],
      'video.create',
    ],
    [
      'sound and a picture of it',
      { prompt: { type: 'string' } },
      { type: 'object', properties: { audio: uri, spectrogram: uri } },
      {},
      { audio: at('a.mp3'), spectrogram: at('a.jpg') },
      'audio.music',
    ],
    [
      'a mesh and its preview',
      { image: uri },
      { type: 'object', properties: { color_video: uri, model_file: uri } },
      {},
      { color_video: at('a.mp4'), model_file: at('a.glb') },
      'other.run',
    ],
    ['a text', { image: uri }, { type: 'string' }, { image: at('a.jpg') }, 'A pear', 'other.run'],
  ])('that makes %s is known by its example', async (_name, properties, output, exampleIn, exampleOut, expected) => {
    const example = { input: exampleIn, output: exampleOut };
    const model = await normalizeReplicate(cogDocument(properties, output), { example });
    expect(suggestTask({ name: 'acme/model', category: null, example }, model)).toBe(expected);
  });
});

describe('a model with a category', () => {
  it.each<[string, string, Readonly<Record<string, unknown>>, readonly string[], TaskId]>([
    ['acme/inpaint', 'video-to-video', { frames_zip: FILE, video: FILE }, ['video_url'], 'video.edit'],
    ['acme/animate', 'image-to-video', { thumbnail: FILE, video: FILE }, ['image_url'], 'video.create'],
    ['acme/control', 'text-to-image', { image: FILE }, ['control_image_url'], 'image.create'],
    ['acme/mesh', 'image-to-3d', { preview_image: FILE, model_mesh: FILE }, ['image_url'], 'other.run'],
    ['acme/info', 'video-to-text', { frame: FILE }, ['video_url'], 'other.run'],
    ['acme/sync-lipsync', 'video-to-video', { video: FILE }, ['video_url', 'audio_url'], 'video.lipsync'],
    ['acme/xtts-v2', 'text-to-audio', { audio: FILE }, ['speaker_url'], 'audio.speech'],
  ])('%s, %s', async (name, category, output, inputs, expected) => {
    const properties = Object.fromEntries(inputs.map((input) => [input, { type: 'string' }]));
    const model = await normalizeFal(falDocument(properties, { output }), { category });
    expect(suggestTask({ name, category, example: null }, model)).toBe(expected);
  });
});

it('keeps the kind of a file while its schema stays, whatever becomes of the example', async () => {
  const document = cogDocument({ input_file: uri, model_image: uri, clip: { ...uri, description: 'A video.' } }, uri);
  const example = { input: { input_file: at('a.mp3'), clip: at('a.gif') }, output: at('out.png') };
  const known = await normalizeReplicate(document, { example });
  expect(known.media).toEqual({ input_file: 'audio', model_image: 'image', clip: 'video' });
  const later = await normalizeReplicate(document, { known });
  expect(later).toMatchObject({ media: known.media, output: known.output });
  expect((await normalizeReplicate(document)).media).toMatchObject({ input_file: 'file' });
});
