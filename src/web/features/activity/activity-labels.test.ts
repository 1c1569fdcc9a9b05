import { expect, it } from 'vitest';
import type { Activity } from '#contract/resources/activity.ts';
import { describeActiveGeneration, formatCounts, formatTimeLeft } from './activity-labels.ts';

it.each([
  [null, null],
  [1, 'about 5 s'],
  [41, 'about 45 s'],
  [58, 'about 1 min'],
  [170, 'about 3 min'],
  [7_300, 'about 2 h'],
])('formats %s seconds left as %s', (seconds, text) => expect(formatTimeLeft(seconds)).toBe(text));

it('counts what runs and waits', () => {
  expect(formatCounts({ running: 2, queued: 30 })).toBe('2 running · 30 waiting');
  expect(formatCounts({ running: 0, queued: 1 })).toBe('1 waiting');
});

const describe = (status: string, progress: number | null, place: number | null, seconds_left: number | null) =>
  describeActiveGeneration({
    generation: { status, progress },
    queue_position: place,
    seconds_left,
  } as Activity['generations'][number]);

it('describes the progress, or the place in the queue, with the time that is left', () => {
  expect(describe('running', 0.345, null, 12)).toBe('34% · about 15 s');
  expect(describe('running', null, null, null)).toBe('Running');
  expect(describe('queued', null, 1, 60)).toBe('Next in the queue · about 1 min');
  expect(describe('queued', null, 13, null)).toBe('12 ahead');
  expect(describe('queued', null, null, null)).toBe('Waiting');
});
