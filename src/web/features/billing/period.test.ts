import { expect, it } from 'vitest';
import { daysInPeriod, PERIOD_PRESETS } from './period.ts';

const now = new Date('2026-03-01T00:30:00.000Z');

it('computes presets in UTC days', () => {
  expect(PERIOD_PRESETS.week.of(now)).toEqual({ from: '2026-02-23', to: '2026-03-01' });
  expect(PERIOD_PRESETS.this_month.of(now)).toEqual({ from: '2026-03-01', to: '2026-03-01' });
  expect(PERIOD_PRESETS.lastMonth.of(now)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(PERIOD_PRESETS.year.of(now).from).toBe('2025-04-01');
});

it('lists every day across the end of a month', () => {
  expect(daysInPeriod({ from: '2026-02-27', to: '2026-03-02' })).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ]);
});
