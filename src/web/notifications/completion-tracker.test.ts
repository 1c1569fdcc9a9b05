import { expect, it } from 'vitest';
import { createCompletionTracker, formatCompletionCounts } from './completion-tracker.ts';

const running = (id: string, progress: number | null = null) => ({ id, status: 'running' as const, progress });
const completed = (id: string, status: 'succeeded' | 'failed' | 'canceled' | 'manual_review' = 'succeeded') => ({
  id,
  status,
  progress: null,
});

it('returns the counts when the last generation completes', () => {
  const tracker = createCompletionTracker();
  for (const id of ['a', 'b', 'c']) tracker.update(running(id));
  expect(tracker.update(completed('a'))).toBeNull();
  expect(tracker.update(completed('b', 'failed'))).toBeNull();
  expect(tracker.update(completed('a'))).toBeNull();
  expect(tracker.update(completed('c'))).toEqual({ done: 2, failed: 1, review: 0 });
  expect(tracker.pendingIds()).toEqual([]);
});

it('starts over afterwards', () => {
  const tracker = createCompletionTracker();
  tracker.update(running('a'));
  tracker.update(completed('a'));
  tracker.update(running('b'));
  expect(tracker.update(completed('b'))).toEqual({ done: 1, failed: 0, review: 0 });
});

it('does not count canceled or untracked generations', () => {
  const tracker = createCompletionTracker(['kept']);
  expect(tracker.update(completed('old'))).toBeNull();
  expect(tracker.update(completed('kept', 'canceled'))).toBeNull();
  tracker.update(running('a'));
  expect(tracker.remove('a')).toBeNull();
});

it('lists the least recently updated generation first', () => {
  const tracker = createCompletionTracker();
  for (const id of ['a', 'b', 'a']) tracker.update(running(id));
  expect(tracker.pendingIds()).toEqual(['b', 'a']);
});

it('labels the progress', () => {
  const tracker = createCompletionTracker();
  expect(tracker.label()).toBeNull();
  tracker.update(running('a'));
  expect(tracker.label()).toBe('Running');
  tracker.update(running('a', 0.428));
  expect(tracker.label()).toBe('42%');
  tracker.update(running('b'));
  expect(tracker.label()).toBe('2 running');
});

it.each([
  [{ done: 1, failed: 0, review: 0 }, 'Done'],
  [{ done: 3, failed: 0, review: 0 }, '3 done'],
  [{ done: 0, failed: 1, review: 0 }, 'Failed'],
  [{ done: 2, failed: 1, review: 0 }, '2 done, 1 failed'],
  [{ done: 1, failed: 0, review: 1 }, '1 done, 1 in review'],
])('%j: %s', (counts, text) => expect(formatCompletionCounts(counts)).toBe(text));
