import { expect, it } from 'vitest';
import { dayRangeWords } from './day-words.ts';

it('says a range in words', () => {
  expect(dayRangeWords('2026-02-01', undefined)).toBe('Since Feb 1, 2026');
  expect(dayRangeWords(undefined, '2026-02-01')).toBe('Until Feb 1, 2026');
  expect(dayRangeWords('2026-02-01', '2026-02-01')).toBe('Feb 1, 2026');
  expect(dayRangeWords(undefined, undefined)).toBeUndefined();
});
