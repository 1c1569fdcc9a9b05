import { expect, it } from 'vitest';
import { timeBarExtent, createTimeScale } from './time-scale.ts';

const at = (ms: number) => new Date(ms).toISOString();

it.each([
  [900, ['0', '0.2 s', '0.4 s', '0.6 s', '0.8 s']],
  [12_000, ['0', '5 s', '10 s']],
  [65_000, ['0', '15 s', '30 s', '45 s', '1:00']],
  [7_300_000, ['0', '30:00', '1:00:00', '1:30:00', '2:00:00']],
])('%d ms get round ticks', (spanMs, labels) => {
  const { ticks } = createTimeScale(0, spanMs);
  expect(ticks.map(({ label }) => label)).toEqual(labels);
  expect(ticks.every(({ share }) => share >= 0 && share <= 1)).toBe(true);
});

it('gives a minimum width to steps without duration', () => {
  expect(createTimeScale(5_000, 5_000).spanMs).toBeGreaterThan(0);
  const bar = timeBarExtent(createTimeScale(0, 100_000), at(50_000), at(50_000), 0);
  expect(bar?.left).toBeCloseTo(0.5);
  expect(bar?.width).toBeGreaterThan(0);
});

it('draws running steps up to now and within the scale', () => {
  const scale = createTimeScale(0, 10_000);
  expect(timeBarExtent(scale, at(5_000), null, 7_500)).toEqual({ left: 0.5, width: 0.25 });
  const long = timeBarExtent(scale, at(5_000), null, 60_000);
  expect((long?.left ?? 0) + (long?.width ?? 0)).toBeLessThanOrEqual(1);
});

it('returns null for steps that never started or finished before the scale', () => {
  const scale = createTimeScale(100_000, 200_000);
  expect(timeBarExtent(scale, null, null, 150_000)).toBeNull();
  expect(timeBarExtent(scale, at(10_000), at(20_000), 150_000)).toBeNull();
});
