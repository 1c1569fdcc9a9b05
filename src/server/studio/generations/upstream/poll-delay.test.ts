import { describe, expect, it } from 'vitest';
import { backoffDelay, pollDelay } from './poll-delay.ts';

const least = () => 0;
const most = () => 1;

describe('poll delay', () => {
  it.each([
    [0, 750, 1_250],
    [5_000, 750, 1_250],
    [60_000, 4_500, 7_500],
    [3_600_000, 11_250, 18_750],
  ])('at an age of %i ms is between %i and %i ms', (ageMs, fromMs, toMs) => {
    expect([pollDelay(ageMs, null, least), pollDelay(ageMs, undefined, most)]).toEqual([fromMs, toMs]);
  });

  it('follows the upstream within bounds', () => {
    expect([3_000, 0, 86_400_000].map((askedMs) => pollDelay(60_000, askedMs))).toEqual([3_000, 200, 600_000]);
  });
});

describe('backoff delay', () => {
  it('is random within a range that doubles up to a minute', () => {
    expect([1, 2, 3, 6, 500].map((count) => backoffDelay(count, null, most))).toEqual([
      2_000, 4_000, 8_000, 60_000, 60_000,
    ]);
    expect(backoffDelay(3, null, least)).toBe(0);
  });

  it('is at least the requested delay, within bounds', () => {
    expect([backoffDelay(1, 7_000, least), backoffDelay(1, 7_000, most)]).toEqual([7_000, 9_000]);
    expect(backoffDelay(1, 86_400_000, least)).toBe(600_000);
  });
});
