import { expect, it } from 'vitest';
import { fittedStyle } from './fitted-style.ts';

it('derives the maximum width of a portrait from the maximum height', () => {
  expect(fittedStyle({ width: 1080, height: 1920 }, '24rem')).toEqual({
    width: 'min(100%, 1080px, calc(24rem * 0.5625))',
    aspectRatio: '1080 / 1920',
  });
});

it('limits only the height if the size is unknown', () => {
  expect(fittedStyle({ width: null, height: null }, '24rem')).toEqual({ maxHeight: '24rem' });
});
