import { describe, expect, it } from 'vitest';
import { hasFilters, toQuery } from '#web/collections/filter-rows.ts';
import { LIBRARY_FILTERS, parseLibrarySearch, parseUploadsSearch, UPLOAD_FILTERS } from './library-search.ts';

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
      answer: 'approved',
      collection: 'col_1',
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
    const search = { kind: 'video', starred: true, from: '2026-02-01', to: '2026-02-01', q: 'x' } as const;
    const query = toQuery(LIBRARY_FILTERS, search);
    expect(query).toMatchObject({ type: 'video', favourite: 'true', q: 'x' });
    expect(Date.parse(query.created_before ?? '') - Date.parse(query.created_after ?? '')).toBe(86_400_000);
    expect(toQuery(LIBRARY_FILTERS, {})).toEqual({});
    expect(hasFilters(LIBRARY_FILTERS, { collection: 'col_1' })).toBe(false);
    expect(hasFilters(LIBRARY_FILTERS, { kind: 'audio' })).toBe(true);
  });

  it('leave out what no upload has, where only uploads are listed', () => {
    const search = { kind: 'video', from: '2026-02-01', q: 'cat', item: id('upl', 'a') };
    expect(
      parseUploadsSearch({ ...search, origin: 'generated', task: 'image.edit', tags: { client: 'Acme' } }),
    ).toEqual(search);
    expect(toQuery(UPLOAD_FILTERS, { kind: 'video', q: 'cat' })).toEqual({ type: 'video', q: 'cat' });
  });
});
