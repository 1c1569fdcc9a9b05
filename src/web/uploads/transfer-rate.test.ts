import { expect, it } from 'vitest';
import { createTransferRate } from './transfer-rate.ts';

it('is not known before some time has passed', () => {
  const pace = createTransferRate();
  pace.addSample(0, 0);
  pace.addSample(500, 4_000);
  expect(pace.read()).toBeNull();
  pace.addSample(1_000, 10_000);
  expect(pace.read()).toBe(10_000);
});

it('forgets how it was a while ago', () => {
  const pace = createTransferRate();
  for (let second = 0; second <= 10; second += 1) pace.addSample(second * 1000, second * 100);
  for (let second = 11; second <= 30; second += 1) pace.addSample(second * 1000, 1000 + (second - 10) * 5_000);
  expect(pace.read()).toBe(5_000);
});

it('starts over where a part is sent again', () => {
  const pace = createTransferRate();
  pace.addSample(0, 0);
  pace.addSample(2_000, 90_000);
  pace.addSample(3_000, 50_000);
  expect(pace.read()).toBeNull();
  pace.addSample(4_000, 60_000);
  expect(pace.read()).toBe(10_000);
});
