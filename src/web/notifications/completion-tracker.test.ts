import { expect, it } from 'vitest';
import { createCompletionTracker, formatCompletionCounts } from './completion-tracker.ts';

const running = (id: string, progress: number | null = null) => ({ id, status: 'running' as const, progress });
const ended = (id: string, status: 'succeeded' | 'failed' | 'canceled' | 'manual_review' = 'succeeded') => ({
  id,
  status,
  progress: null,
});

it('tells what came of all when the last has ended', () => {
  const ends = createCompletionTracker();
  for (const id of ['a', 'b', 'c']) ends.update(running(id));
  expect(ends.update(ended('a'))).toBeNull();
  expect(ends.update(ended('b', 'failed'))).toBeNull();
  expect(ends.update(ended('a'))).toBeNull();
  expect(ends.update(ended('c'))).toEqual({ done: 2, failed: 1, review: 0 });
  expect(ends.pendingIds()).toEqual([]);
});

it('begins anew afterwards', () => {
  const ends = createCompletionTracker();
  ends.update(running('a'));
  ends.update(ended('a'));
  ends.update(running('b'));
  expect(ends.update(ended('b'))).toEqual({ done: 1, failed: 0, review: 0 });
});

it('says nothing of what was stopped or never waited for', () => {
  const ends = createCompletionTracker(['kept']);
  expect(ends.update(ended('old'))).toBeNull();
  expect(ends.update(ended('kept', 'canceled'))).toBeNull();
  ends.update(running('a'));
  expect(ends.remove('a')).toBeNull();
});

it('asks first after what was not heard of for longest', () => {
  const ends = createCompletionTracker();
  for (const id of ['a', 'b', 'a']) ends.update(running(id));
  expect(ends.pendingIds()).toEqual(['b', 'a']);
});

it('says how far it is', () => {
  const ends = createCompletionTracker();
  expect(ends.label()).toBeNull();
  ends.update(running('a'));
  expect(ends.label()).toBe('Under way');
  ends.update(running('a', 0.428));
  expect(ends.label()).toBe('42%');
  ends.update(running('b'));
  expect(ends.label()).toBe('2 under way');
});

it.each([
  [{ done: 1, failed: 0, review: 0 }, 'Done'],
  [{ done: 3, failed: 0, review: 0 }, '3 done'],
  [{ done: 0, failed: 1, review: 0 }, 'Failed'],
  [{ done: 2, failed: 1, review: 0 }, '2 done, 1 failed'],
  [{ done: 1, failed: 0, review: 1 }, '1 done, 1 in review'],
])('%j: %s', (outcome, words) => expect(formatCompletionCounts(outcome)).toBe(words));
