import { expect, it } from 'vitest';
import { sortByNearness, parseAspectRatio, parseOptionSize, withRatio } from './compare-options.ts';

it('reads ratios and sizes', () => {
  expect([
    parseAspectRatio('16:9'),
    parseAspectRatio('1536x1024'),
    parseAspectRatio('auto'),
    parseAspectRatio('4K'),
  ]).toEqual([16 / 9, 1.5, null, null]);
  expect([
    parseOptionSize('4K'),
    parseOptionSize('720p'),
    parseOptionSize('192k'),
    parseOptionSize(6),
    parseOptionSize('auto'),
  ]).toEqual([4000, 720, 192_000, 6, null]);
});

it('puts the nearest first, and what cannot be compared last', () => {
  expect(sortByNearness(['auto', '1:1', '16:9', '3:2'], '21:9')).toEqual(['16:9', '3:2', '1:1', 'auto']);
  expect(sortByNearness(['480p', '720p', '1080p'], '4K')).toEqual(['1080p', '720p', '480p']);
  expect(sortByNearness([4, 6, 8], 7)).toEqual([8, 6, 4]);
  expect(sortByNearness(['auto', '1:1'], 'auto')).toEqual(['auto', '1:1']);
});

it('shows pixels with their ratio', () => {
  expect(withRatio('1536x1024', '1536 × 1024')).toBe('3:2 · 1536 × 1024');
  expect(withRatio('2160x3840', '2160 × 3840')).toBe('9:16 · 2160 × 3840');
  expect(withRatio('16:9', '16:9')).toBe('16:9');
  expect(withRatio('auto', 'Auto')).toBe('Auto');
});
