import { expect, it } from 'vitest';
import { createVariations } from './variation-count.ts';

const ORDER = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'A kite' } };

it('raises a typed seed for each variation, and sends none otherwise', () => {
  const seeded = createVariations({ ...ORDER, input: { prompt: 'A kite', seed: 7 } }, 3);
  expect(seeded.map(({ input }) => input['seed'])).toEqual([7, 8, 9]);
  const [, second] = createVariations({ ...ORDER, input: { prompt: 'A kite', seed: 2_147_483_647 } }, 2);
  expect(second?.input['seed']).toBe(0);
  expect(createVariations(ORDER, 2)).toEqual([ORDER, ORDER]);
});
