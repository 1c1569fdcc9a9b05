import { expect, it } from 'vitest';
import { createPace } from '#web/uploads/pace.ts';

it('is not known before some time has passed', () => {
  const pace = createPace();
  pace.note(0, 0);
  pace.note(500, 4_000);
  expect(pace.read()).toBeNull();
  pace.note(1_000, 10_000);
  expect(pace.read()).toBe(10_000);
});

it('forgets how it was a while ago', () => {
  const pace = createPace();
  for (let second = 0; second <= 10; second += 1) pace.note(second * 1000, second * 100);
  for (let second = 11; second <= 30; second += 1) pace.note(second * 1000, 1000 + (second - 10) * 5_000);
  expect(pace.read()).toBe(5_000);
});

it('starts over where a part is sent again', () => {
  const pace = createPace();
  pace.note(0, 0);
  pace.note(2_000, 90_000);
  pace.note(3_000, 50_000);
  expect(pace.read()).toBeNull();
  pace.note(4_000, 60_000);
  expect(pace.read()).toBe(10_000);
});
