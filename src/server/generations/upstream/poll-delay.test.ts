import { describe, expect, it } from 'vitest';
import { backoffDelay, pollDelay } from './poll-delay.ts';

const least = () => 0;
const most = () => 1;

describe('a job is asked about', () => {
  it.each([
    [0, 750, 1_250],
    [5_000, 750, 1_250],
    [60_000, 4_500, 7_500],
    [3_600_000, 11_250, 18_750],
  ])('after %i ms of age, in %i to %i ms', (age_ms, from_ms, to_ms) => {
    expect([pollDelay(age_ms, null, least), pollDelay(age_ms, undefined, most)]).toEqual([from_ms, to_ms]);
  });

  it('when the upstream says so, within reason', () => {
    expect([3_000, 0, 86_400_000].map((asked_ms) => pollDelay(60_000, asked_ms))).toEqual([3_000, 200, 600_000]);
  });
});

describe('after problems', () => {
  it('a range doubles up to a minute, and the wait is anywhere within it', () => {
    expect([1, 2, 3, 6, 500].map((count) => backoffDelay(count, null, most))).toEqual([
      2_000, 4_000, 8_000, 60_000, 60_000,
    ]);
    expect(backoffDelay(3, null, least)).toBe(0);
  });

  it('what the upstream asked for is waited in any case, within reason', () => {
    expect([backoffDelay(1, 7_000, least), backoffDelay(1, 7_000, most)]).toEqual([7_000, 9_000]);
    expect(backoffDelay(1, 86_400_000, least)).toBe(600_000);
  });
});
