import { expect, it } from 'vitest';
import { byNearness, ratioOf, sizeOf } from '#web/forms/option-measure.ts';

it('reads ratios and sizes', () => {
  expect([ratioOf('16:9'), ratioOf('1536x1024'), ratioOf('auto'), ratioOf('4K')]).toEqual([16 / 9, 1.5, null, null]);
  expect([sizeOf('4K'), sizeOf('720p'), sizeOf('192k'), sizeOf(6), sizeOf('auto')]).toEqual([
    4000,
    720,
    192_000,
    6,
    null,
  ]);
});

it('puts the nearest first, and what cannot be compared last', () => {
  expect(byNearness(['auto', '1:1', '16:9', '3:2'], '21:9')).toEqual(['16:9', '3:2', '1:1', 'auto']);
  expect(byNearness(['480p', '720p', '1080p'], '4K')).toEqual(['1080p', '720p', '480p']);
  expect(byNearness([4, 6, 8], 7)).toEqual([8, 6, 4]);
  expect(byNearness(['auto', '1:1'], 'auto')).toEqual(['auto', '1:1']);
});
