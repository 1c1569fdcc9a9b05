import { describe, expect, it } from 'vitest';
import type { List } from '#contract/primitives.ts';
import type { GenerationStatus } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { mergeHead, replaceRow, flattenPages, type LiveList } from './live-list.ts';

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
const list = (...pages: List<Generation>[]): LiveList<Generation> => ({ pages, pageParams: pages.map(() => null) });
const ids = (live: LiveList<Generation>) => flattenPages(live.pages).map(({ id }) => id);

describe('flattenPages', () => {
  const [first, second, third] = [
    page([row('gen_9'), row('gen_8')], 'a'),
    page([row('gen_8'), row('gen_7')], 'b'),
    page([row('gen_9'), row('gen_6')]),
  ];
  const seen = (...pages: List<Generation>[]) => flattenPages(pages).map(({ id }) => id);

  it('returns each row once, in order, whichever pages it has seen before', () => {
    expect(seen()).toEqual([]);
    expect(seen(first)).toEqual(['gen_9', 'gen_8']);
    expect(seen(first, second)).toEqual(['gen_9', 'gen_8', 'gen_7']);
    expect(seen(first, second, third)).toEqual(['gen_9', 'gen_8', 'gen_7', 'gen_6']);
    expect(seen(first, third)).toEqual(['gen_9', 'gen_8', 'gen_6']);
    expect(seen(first, second)).toEqual(['gen_9', 'gen_8', 'gen_7']);
    expect(seen(second, third)).toEqual(['gen_8', 'gen_7', 'gen_9', 'gen_6']);
  });

  it('returns the same array for the same pages and never changes it', () => {
    const before = flattenPages([first, second]);
    expect(flattenPages([first, second])).toBe(before);
    flattenPages([first, second, third]);
    expect(before.map(({ id }) => id)).toEqual(['gen_9', 'gen_8', 'gen_7']);
  });
});

describe('mergeHead', () => {
  it('keeps the list when the head is empty and more rows follow', () => {
    const known = list(page([], 'a'), page([row('gen_1')]));
    expect(mergeHead(known, page([], 'a'))).toBe(known);
  });

  const scrolled = list(page([row('gen_5', 'running'), row('gen_4')], 'a'), page([row('gen_3'), row('gen_2')]));

  it('adds new rows on top, updates known ones and keeps those below', () => {
    const merged = mergeHead(scrolled, page([row('gen_6', 'queued'), row('gen_5')], 'b'));
    expect(ids(merged)).toEqual(['gen_6', 'gen_5', 'gen_4', 'gen_3', 'gen_2']);
    expect(merged.pages[0]?.data[1]?.status).toBe('succeeded');
    expect(merged.pages[0]?.next_cursor).toBe('a');
  });

  it('removes rows that no longer match the filter', () => {
    expect(ids(mergeHead(scrolled, page([row('gen_4'), row('gen_3')], 'b')))).toEqual(['gen_4', 'gen_3', 'gen_2']);
    expect(ids(mergeHead(scrolled, page([row('gen_4')])))).toEqual(['gen_4']);
  });

  it('starts over where the pages share no row', () => {
    const merged = mergeHead(scrolled, page([row('gen_9'), row('gen_8')], 'b'));
    expect(ids(merged)).toEqual(['gen_9', 'gen_8']);
    expect(merged.pageParams).toHaveLength(1);
  });

  it('is empty where the service has none', () => {
    expect(ids(mergeHead(scrolled, page([])))).toEqual([]);
  });
});

describe('replaceRow', () => {
  it('replaces one row and returns a list without it unchanged', () => {
    const one = list(page([row('gen_1', 'running')]));
    expect(replaceRow(one, row('gen_1', 'canceled')).pages[0]?.data[0]?.status).toBe('canceled');
    expect(replaceRow(one, row('gen_2'))).toBe(one);
  });

  it('keeps a row of two pages once', () => {
    expect(ids(list(page([row('gen_2'), row('gen_1')], 'a'), page([row('gen_1')])))).toEqual(['gen_2', 'gen_1']);
  });
});
