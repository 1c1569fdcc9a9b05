import { expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import { clipLengthProblem, limitedClip } from './clip-length.ts';

const contract = inputContract('video.edit', 'vidmodel-c-2.5') ?? { fields: [], rules: [] };
const info = (duration_seconds: number | null) => ({ name: null, width: null, height: null, duration_seconds });

it('names a clip that the task does not take, before it is priced', () => {
  const { field } = limitedClip(contract, { video: { url: 'https://example.com/a.mp4' } }) ?? {};
  if (!field) throw new Error('The source of an edit is limited.');
  expect(clipLengthProblem(field, info(40))).toBe('Video must be 4 to 30 s long; it is 40 s.');
  expect(clipLengthProblem(field, info(2))).toBe('Video must be 4 to 30 s long; it is 2 s.');
  for (const seconds of [4, 30.04, null]) expect(clipLengthProblem(field, info(seconds))).toBeNull();
  expect(limitedClip(contract, { video: null })).toBeNull();
});
