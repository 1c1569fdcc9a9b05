import { expect, it } from 'vitest';
import { createEnds, outcomeWords } from '#web/away/ends.ts';

const running = (id: string, progress: number | null = null) => ({ id, status: 'running' as const, progress });
const ended = (id: string, status: 'succeeded' | 'failed' | 'canceled' | 'manual_review' = 'succeeded') => ({
  id,
  status,
  progress: null,
});

it('tells what came of all when the last has ended', () => {
  const ends = createEnds();
  for (const id of ['a', 'b', 'c']) ends.note(running(id));
  expect(ends.note(ended('a'))).toBeNull();
  expect(ends.note(ended('b', 'failed'))).toBeNull();
  expect(ends.note(ended('a'))).toBeNull();
  expect(ends.note(ended('c'))).toEqual({ done: 2, failed: 1, review: 0 });
  expect(ends.waiting()).toEqual([]);
});

it('begins anew afterwards', () => {
  const ends = createEnds();
  ends.note(running('a'));
  ends.note(ended('a'));
  ends.note(running('b'));
  expect(ends.note(ended('b'))).toEqual({ done: 1, failed: 0, review: 0 });
});

it('says nothing of what was stopped or never waited for', () => {
  const ends = createEnds(['kept']);
  expect(ends.note(ended('old'))).toBeNull();
  expect(ends.note(ended('kept', 'canceled'))).toBeNull();
  ends.note(running('a'));
  expect(ends.drop('a')).toBeNull();
});

it('asks first after what was not heard of for longest', () => {
  const ends = createEnds();
  for (const id of ['a', 'b', 'a']) ends.note(running(id));
  expect(ends.waiting()).toEqual(['b', 'a']);
});

it('says how far it is', () => {
  const ends = createEnds();
  expect(ends.words()).toBeNull();
  ends.note(running('a'));
  expect(ends.words()).toBe('Under way');
  ends.note(running('a', 0.428));
  expect(ends.words()).toBe('42%');
  ends.note(running('b'));
  expect(ends.words()).toBe('2 under way');
});

it.each([
  [{ done: 1, failed: 0, review: 0 }, 'Done'],
  [{ done: 3, failed: 0, review: 0 }, '3 done'],
  [{ done: 0, failed: 1, review: 0 }, 'Failed'],
  [{ done: 2, failed: 1, review: 0 }, '2 done, 1 failed'],
  [{ done: 1, failed: 0, review: 1 }, '1 done, 1 in review'],
])('%j: %s', (outcome, words) => expect(outcomeWords(outcome)).toBe(words));
