import type { Clock } from '#server/platform/core/clock.ts';

/** A clock that only moves when it is advanced. */
export interface TestClock extends Clock {
  advance(duration_ms: number): void;
}

export function createTestClock(start: Date = new Date()): TestClock {
  let now_ms = start.getTime();
  return {
    now: () => new Date(now_ms),
    advance(duration_ms) {
      now_ms += duration_ms;
    },
  };
}
