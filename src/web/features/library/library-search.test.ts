import { describe, expect, it } from 'vitest';
import { parseLibrarySearch } from './library-search.ts';
import { hasMediaFilters, toMediaFilters } from './use-library-address.ts';

const id = (kind: 'ast' | 'upl', end: string) => `${kind}_${'0'.repeat(25)}${end}`;

describe('library search parameters', () => {
  it('round-trip', () => {
    const search = {
      kind: 'image',
      origin: 'upload',
      task: 'image.edit',
      model: 'imgmodel-a-2',
      from: '2026-02-01',
      to: '2026-02-03',
      starred: true,
      q: 'a lighthouse',
      item: id('ast', 'a'),
      show: 'lineage',
    };
    expect(parseLibrarySearch(search)).toEqual(search);
    const compare = `${id('ast', 'a')},${id('upl', 'b')}`;
    expect(parseLibrarySearch({ compare })).toEqual({ compare });
  });

  it('drop invalid values', () => {
    const raw = {
      kind: 'smell',
      origin: 1,
      task: 'x',
      from: '2026-02-30',
      starred: 'yes',
      q: '  ',
      item: '../x',
      compare: 'a,b',
    };
    expect(parseLibrarySearch(raw)).toEqual({});
    expect(parseLibrarySearch({ kind: 'toString', show: 'lineage', q: 42 })).toEqual({ q: '42' });
  });

  it('open one file or compare two, never both', () => {
    const both = { item: id('ast', 'a'), compare: `${id('ast', 'a')},${id('ast', 'b')}` };
    expect(parseLibrarySearch(both)).toEqual({ item: both.item });
  });

  it('translate to list filters', () => {
    const filters = toMediaFilters({ kind: 'video', starred: true, from: '2026-02-01', to: '2026-02-01', q: 'x' });
    expect(filters).toMatchObject({ type: 'video', favourite: 'true', q: 'x' });
    expect(Date.parse(filters.created_before ?? '') - Date.parse(filters.created_after ?? '')).toBe(86_400_000);
    expect(toMediaFilters({})).toEqual({});
    expect([hasMediaFilters({ item: id('ast', 'a') }), hasMediaFilters({ kind: 'audio' })]).toEqual([false, true]);
  });
});
