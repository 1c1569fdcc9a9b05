import { expect, it } from 'vitest';
import { createTransferRate } from './transfer-rate.ts';

it('is unknown for the first 800 ms', () => {
  const rate = createTransferRate();
  rate.addSample(0, 0);
  rate.addSample(500, 4_000);
  expect(rate.read()).toBeNull();
  rate.addSample(1_000, 10_000);
  expect(rate.read()).toBe(10_000);
});

it('covers the last seconds only', () => {
  const rate = createTransferRate();
  for (let second = 0; second <= 10; second += 1) rate.addSample(second * 1000, second * 100);
  for (let second = 11; second <= 30; second += 1) rate.addSample(second * 1000, 1000 + (second - 10) * 5_000);
  expect(rate.read()).toBe(5_000);
});

it('starts over when a chunk is sent again', () => {
  const rate = createTransferRate();
  rate.addSample(0, 0);
  rate.addSample(2_000, 90_000);
  rate.addSample(3_000, 50_000);
  expect(rate.read()).toBeNull();
  rate.addSample(4_000, 60_000);
  expect(rate.read()).toBe(10_000);
});
