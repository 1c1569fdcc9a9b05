import { expect, it } from 'vitest';
import { fittedStyle } from './fitted-style.ts';

it('bounds the width by the height that a portrait may have, so that no empty tile is left below', () => {
  expect(fittedStyle({ width: 1080, height: 1920 }, '24rem')).toEqual({
    width: 'min(100%, 1080px, calc(24rem * 0.5625))',
    aspectRatio: '1080 / 1920',
  });
});

it('bounds the height alone where the size is not known', () => {
  expect(fittedStyle({ width: null, height: null }, '24rem')).toEqual({ maxHeight: '24rem' });
});
