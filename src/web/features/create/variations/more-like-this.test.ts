import { beforeAll, expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { loadValidator } from '#web/forms/values/validator.ts';
import { moreLikeThis } from './more-like-this.ts';

const ASSET = { type: 'image', url: 'https://media.example/a.png' };
const result = (task: string, model: string, input: object, asset: object = ASSET) =>
  ({ task, model, input, output: { assets: [asset], data: null } }) as unknown as Generation;

beforeAll(async () => {
  await loadValidator();
});

it('adds the picture as a reference where the model takes one', () => {
  const more = moreLikeThis(result('image.create', 'imgmodel-b-2', { prompt: 'A kite' }), undefined);
  expect(more).toMatchObject({ task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'A kite' } });
  expect(more.input['reference_images']).toEqual([{ url: ASSET.url }]);
});

it('repeats the settings without their seed where the result is no picture', () => {
  const input = { prompt: 'Waves', duration_seconds: 4, resolution: '480p', seed: 7 };
  const clip = { type: 'video', url: 'https://media.example/a.mp4' };
  const more = moreLikeThis(result('video.create', 'vidmodel-c-2-mini', input, clip), undefined);
  const { seed: _seed, ...settings } = input;
  expect(more.input).toEqual(settings);
});

it('repeats the settings of a result that was discarded', () => {
  const discarded = { ...ASSET, removed_at: '2026-06-24T10:00:00.000Z' };
  const input = { prompt: 'A kite' };
  expect(moreLikeThis(result('image.create', 'imgmodel-b-2', input, discarded), undefined).input).toEqual(input);
});

it('keeps the picture that an edit works on', () => {
  const input = { prompt: 'Add snow', images: [{ url: 'https://media.example/source.png' }] };
  expect(moreLikeThis(result('image.edit', 'imgmodel-b-2', input), undefined).input).toEqual(input);
});
