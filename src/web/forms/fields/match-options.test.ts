import { expect, it } from 'vitest';
import { matchOptions } from './match-options.ts';

const MANY = Array.from({ length: 1_000 }, (_, at) => `style ${at}`);

it('finds options by their words, those that start with the search first', () => {
  expect(matchOptions(['sdxl/Old Film.safetensors', 'film noir', 'anime'], 'film')).toEqual([
    'film noir',
    'sdxl/Old Film.safetensors',
  ]);
  expect(matchOptions(MANY, '99 style')).toContain('style 999');
  expect(matchOptions(MANY, 'none')).toEqual([]);
});

it('shows a part of many options', () => {
  expect(matchOptions(MANY, '')).toHaveLength(100);
  expect(matchOptions(MANY, '')[0]).toBe('style 0');
});
