import { expect, test } from 'vitest';
import { formatCountdown, formatLongDuration } from './format-long-duration.ts';

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [-61, '1 minute and 1 second'],
  [300, '5 minutes'],
  [7_200, '2 hours'],
  [90_061, '1 day and 1 hour'],
])('formats %i seconds', (seconds, words) => expect(formatLongDuration(seconds)).toBe(words));

test.each([
  [-5, 'now'],
  [0, 'now'],
  [1, '0:01'],
  [299_001, '5:00'],
  [7_199_000, '1:59:59'],
])('formats %i milliseconds left', (leftMs, words) => expect(formatCountdown(leftMs)).toBe(words));
