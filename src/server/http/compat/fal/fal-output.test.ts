import { expect, it } from 'vitest';
import type { OutputHints } from '#contract/added-models/output-hints.ts';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import type { Offering } from '#server/models/catalog/offering.ts';
import { presentOutput } from './fal-output.ts';

type Data = Generation['output']['data'];

const asset = (id: string, type: Asset['type']) =>
  ({ id, type, url: `https://a/${id}`, mime_type: `${type}/x`, size_bytes: 1, width: null, height: null }) as Asset;
const hint = (path: string, kind: OutputHints['files'][number]['kind'], many = false) => ({ path, kind, many });

/** As an added model with these hints has it; without hints, as a built-in one. */
function present(task: string, assets: readonly Asset[], data: Data, files: OutputHints['files'] | null = null) {
  const current = { definition: { normalized: { output: { files, has_data: true } } } };
  const added = new Map(files ? [['added-x', { current, versions: new Map() }]] : []);
  const generation = { task, model: files ? 'added-x' : 'imgmodel-b-2', output: { assets, data } };
  return JSON.parse(
    JSON.stringify(presentOutput({ added } as unknown as Offering, [generation as unknown as Generation])),
  ) as Record<string, unknown>;
}
const urlOf = (id: string) => ({ url: `https://a/${id}` });

it.each([
  ['image.create', [asset('1', 'image')], { images: [urlOf('1')] }],
  ['video.extract_frame', [asset('1', 'image')], { image: urlOf('1') }],
  ['video.create', [asset('1', 'video')], { video: urlOf('1') }],
  ['video.split_scenes', [asset('1', 'video'), asset('2', 'video')], { videos: [urlOf('1'), urlOf('2')] }],
  ['audio.speech', [asset('1', 'audio')], { audio: urlOf('1') }],
])('names the files of %s as fal does', (task, assets, expected) => {
  expect(present(task, assets, { seed: 7 })).toMatchObject({ ...expected, seed: 7 });
});

it('places files where the schema has them, other files too', () => {
  const files = [hint('preview.url', 'image'), hint('model_urls.glb.url', 'file'), hint('frames[]', 'image', true)];
  const assets = [asset('1', 'image'), asset('2', 'image'), asset('3', 'image'), asset('4', 'audio')];
  const data = { other_files: [{ name: 'a.glb', url: 'https://fal/a.glb' }], faces: 9 };
  expect(present('other.run', assets, data, files)).toMatchObject({
    preview: urlOf('1'),
    frames: ['https://a/2', 'https://a/3'],
    model_urls: { glb: { url: 'https://fal/a.glb', file_name: 'a.glb' } },
    audio: urlOf('4'),
    faces: 9,
  });
});

it('keeps files without a place in the data, and the names of a schema away from objects', () => {
  const data = { other_files: [{ name: 'a.zip', url: 'https://fal/a.zip' }] };
  const result = present('other.run', [asset('1', 'image')], data, [hint('__proto__.polluted.url', 'image')]);
  expect(result).toMatchObject(data);
  expect(Object.prototype).not.toHaveProperty('polluted');
});
