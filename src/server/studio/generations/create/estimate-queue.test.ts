import { expect, it } from 'vitest';
import { estimateQueue } from './estimate-queue.ts';

const queued = (id: string, run_seconds: number | null) => ({ id, run_seconds });
const running = (id: string, run_seconds: number | null, elapsedSeconds: number, progress: number | null = null) => ({
  ...queued(id, run_seconds),
  elapsedSeconds,
  progress,
});

it('starts queued work in the first slot that is free', () => {
  const estimates = estimateQueue(
    2,
    [running('a', 10, 4), running('b', 10, 9)],
    [queued('c', 20), queued('d', 5), queued('e', 5)],
  );
  expect([...estimates]).toEqual([
    ['a', 6],
    ['b', 1],
    ['c', 21],
    ['d', 11],
    ['e', 16],
  ]);
});

it('uses the progress where the usual time is unknown', () => {
  const estimates = estimateQueue(1, [running('a', null, 30, 0.75)], [queued('b', 10)]);
  expect([...estimates]).toEqual([
    ['a', 10],
    ['b', 20],
  ]);
});

it('counts unknown work ahead as average, and has no estimate for unknown work itself', () => {
  const estimates = estimateQueue(1, [running('a', null, 3)], [queued('b', null), queued('c', 8)]);
  expect([...estimates]).toEqual([
    ['a', null],
    ['b', null],
    ['c', 24],
  ]);
  expect([...estimateQueue(1, [running('a', null, 3)], [queued('b', null)])].map(([, seconds]) => seconds)).toEqual([
    null,
    null,
  ]);
});

it('expects work that takes longer than usual to end soon', () => {
  expect(estimateQueue(1, [running('a', 10, 60)], []).get('a')).toBe(1);
});
