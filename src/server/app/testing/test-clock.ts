import type { Clock } from '#server/platform/core/clock.ts';

/** A clock that only moves when it is advanced. */
export interface TestClock extends Clock {
  advance(duration_ms: number): void;
}

export function createTestClock(start: Date = new Date()): TestClock {
  let nowMs = start.getTime();
  return {
    now: () => new Date(nowMs),
    advance(duration_ms) {
      nowMs += duration_ms;
    },
  };
}
