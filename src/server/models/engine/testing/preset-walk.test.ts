import { expect, it } from 'vitest';
import { listInputs, type WalkedInput } from './preset-walk.ts';

const values = (inputs: readonly WalkedInput[], field: string) => [...new Set(inputs.map(({ input }) => input[field]))];
const counts = (inputs: readonly WalkedInput[], field: string) =>
  [...new Set(inputs.map(({ input }) => (Array.isArray(input[field]) ? input[field].length : 0)))].sort(
    (a, b) => a - b,
  );

it('lists every option, bound and combination of references that a form allows', () => {
  const inputs = listInputs('video.create', 'vidmodel-c-2');
  expect(values(inputs, 'resolution').toSorted()).toEqual(['1080p', '480p', '4K', '720p']);
  expect(values(inputs, 'duration_seconds').toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 12 }, (_, index) => index + 4),
  );
  expect(counts(inputs, 'reference_images')).toEqual([0, 1, 9]);
  expect(counts(inputs, 'reference_audio')).toEqual([0, 1, 3]);
  const fields = ['first_frame', 'last_frame', 'reference_images', 'reference_videos', 'reference_audio'];
  const sets = inputs.map(({ input }) => fields.filter((field) => input[field] != null).join());
  expect(new Set(sets).size).toBe(2 ** fields.length);
});

it('leaves out what the contract rejects', () => {
  const inputs = listInputs('image.create', 'imgmodel-a-2');
  const shapes = inputs.map(({ input }) => `${String(input['aspect_ratio'])} ${String(input['resolution'])}`);
  expect(shapes).toContain('16:9 4K');
  expect(shapes).not.toContain('1:1 4K');
});

it('combines every two options of a form that are allowed together', () => {
  const inputs = listInputs('video.create', 'vidmodel-c-2');
  const pairs = new Set(
    inputs.map(({ input }) => `${String(input['resolution'])} ${String(input['duration_seconds'])}`),
  );
  for (const resolution of ['480p', '720p', '1080p', '4K'])
    for (const seconds of [4, 15]) expect(pairs).toContain(`${resolution} ${seconds}`);
});
