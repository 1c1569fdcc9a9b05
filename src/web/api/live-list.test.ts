import { describe, expect, it } from 'vitest';
import type { List } from '#contract/primitives.ts';
import type { GenerationStatus } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { appendPage, type LiveList, mergeNewest, refreshRows, removeRows, replaceRow } from './live-list.ts';

const row = (id: string, status: GenerationStatus = 'succeeded'): Generation => ({
  id,
  object: 'generation',
  status,
  model: null,
  task: 'video.trim',
  input: {},
  progress: null,
  output: { assets: [], data: null },
  usage: { amount_usd: '0.00', line_items: [], billing_status: 'settled' },
  error: null,
  metadata: null,
  retry_of: null,
  workflow_run_id: null,
  created_by: { id: 'key_1', name: 'Key' },
  created_at: '2026-01-01T00:00:00.000Z',
  started_at: null,
  updated_at: '2026-01-01T00:00:00.000Z',
  completed_at: null,
});
const page = (rows: Generation[], next_cursor: string | null = null): List<Generation> => ({
  object: 'list',
  data: rows,
  has_more: next_cursor !== null,
  next_cursor,
});
const list = (first: List<Generation>, ...pages: List<Generation>[]): LiveList<Generation> =>
  pages.reduce(appendPage, mergeNewest(undefined, first));
const ids = (live: LiveList<Generation>) => live.rows.map(({ id }) => id);

describe('refreshRows', () => {
  it('updates the rows of a sorted list in their places, and keeps those after the first page', () => {
    const known = list(page([row('gen_1', 'running'), row('gen_9')], 'a'), page([row('gen_5')], 'b'));
    const newest = page([row('gen_7'), row('gen_9'), row('gen_1', 'canceled')], 'c');
    const refreshed = refreshRows(known, newest);
    expect(refreshed.rows.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'gen_1 canceled',
      'gen_9 succeeded',
      'gen_5 succeeded',
    ]);
    expect(refreshed.nextCursor).toBe('b');
  });

  it('starts with the page where there are no rows', () => {
    for (const known of [undefined, list(page([]))])
      expect(ids(refreshRows(known, page([row('gen_7')], 'a')))).toEqual(['gen_7']);
  });
});

describe('appendPage', () => {
  const first = page([row('gen_9'), row('gen_8')], 'a');

  it('returns each row once, in order', () => {
    const second = page([row('gen_8'), row('gen_7')], 'b');
    const third = page([row('gen_9'), row('gen_6')]);
    expect(ids(list(first))).toEqual(['gen_9', 'gen_8']);
    expect(ids(list(first, second))).toEqual(['gen_9', 'gen_8', 'gen_7']);
    expect(ids(list(first, second, third))).toEqual(['gen_9', 'gen_8', 'gen_7', 'gen_6']);
    expect(ids(list(first, third))).toEqual(['gen_9', 'gen_8', 'gen_6']);
    expect(ids(list(second, third))).toEqual(['gen_8', 'gen_7', 'gen_9', 'gen_6']);
  });

  it('continues after the page, and never changes the list', () => {
    const before = list(first);
    const after = appendPage(before, page([row('gen_7')], 'b'));
    expect(after.nextCursor).toBe('b');
    expect(appendPage(after, page([row('gen_6')])).nextCursor).toBeNull();
    expect(before.nextCursor).toBe('a');
    expect(ids(before)).toEqual(['gen_9', 'gen_8']);
  });
});

describe('mergeNewest', () => {
  it('keeps the list when the page is empty and more rows follow', () => {
    const known = list(page([], 'a'), page([row('gen_1')]));
    expect(mergeNewest(known, page([], 'a'))).toBe(known);
  });

  const scrolled = list(page([row('gen_5', 'running'), row('gen_4')], 'a'), page([row('gen_3'), row('gen_2')], 'z'));

  it('returns the same list for the same page', () => {
    expect(mergeNewest(scrolled, scrolled.newest)).toBe(scrolled);
  });

  it('adds new rows on top, updates known ones and keeps those below', () => {
    const merged = mergeNewest(scrolled, page([row('gen_6', 'queued'), row('gen_5')], 'b'));
    expect(ids(merged)).toEqual(['gen_6', 'gen_5', 'gen_4', 'gen_3', 'gen_2']);
    expect(merged.rows[1]?.status).toBe('succeeded');
    expect(merged.nextCursor).toBe('z');
  });

  it('keeps a row that is newer than the page', () => {
    const updated_at = '2026-01-01T00:00:01.000Z';
    const known = replaceRow(scrolled, { ...row('gen_5', 'canceled'), updated_at });
    expect(mergeNewest(known, page([row('gen_5', 'running')], 'b')).rows[0]?.status).toBe('canceled');
  });

  it('removes rows that no longer match the filter', () => {
    expect(ids(mergeNewest(scrolled, page([row('gen_4'), row('gen_3')], 'b')))).toEqual(['gen_4', 'gen_3', 'gen_2']);
    const complete = mergeNewest(scrolled, page([row('gen_4')]));
    expect(ids(complete)).toEqual(['gen_4']);
    expect(complete.nextCursor).toBeNull();
  });

  it('starts over where the pages share no row', () => {
    const merged = mergeNewest(scrolled, page([row('gen_9'), row('gen_8')], 'b'));
    expect(ids(merged)).toEqual(['gen_9', 'gen_8']);
    expect(merged.nextCursor).toBe('b');
  });

  it('is empty where the service has none', () => {
    expect(ids(mergeNewest(scrolled, page([])))).toEqual([]);
  });
});

describe('replaceRow and removeRows', () => {
  const one = list(page([row('gen_1', 'running')]));

  it('replaces one row and returns a list without it unchanged', () => {
    expect(replaceRow(one, row('gen_1', 'canceled')).rows[0]?.status).toBe('canceled');
    expect(replaceRow(one, row('gen_2'))).toBe(one);
  });

  it('removes rows and returns a list without them unchanged', () => {
    expect(ids(removeRows(one, new Set(['gen_1'])))).toEqual([]);
    expect(removeRows(one, new Set(['gen_2']))).toBe(one);
  });
});
