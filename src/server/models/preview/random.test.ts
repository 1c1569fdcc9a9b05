import { expect, test } from 'vitest';
import { jobSeed } from './random.ts';

test('uses the seed of the input, else one per generation', () => {
  expect(jobSeed('gen_1', 7)).toBe(7);
  expect(jobSeed('gen_2', 7)).toBe(7);
  expect(jobSeed('gen_1', null)).toBe(jobSeed('gen_1'));
  expect(jobSeed('gen_1')).not.toBe(jobSeed('gen_2'));
});
