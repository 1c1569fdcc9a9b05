import { describe, expect, it } from 'vitest';
import { hasFilters, toQuery } from '#web/collections/filter-rows.ts';
import { GENERATION_FILTERS, parseGenerationSearch } from './generation-search.ts';

describe('generation search parameters', () => {
  it('keeps known values', () => {
    const search = {
      status: 'failed',
      task: 'video.create',
      model: 'omni-video',
      from: '2026-02-01',
      to: '2026-02-03',
    };
    expect(parseGenerationSearch({ ...search, q: '  fox ', person: 'everybody', view: 'gallery' })).toEqual({
      ...search,
      q: 'fox',
      person: 'everybody',
      view: 'gallery',
    });
  });

  it('keeps the order, unless it is newest first', () => {
    expect(parseGenerationSearch({ sort: 'duration', order: 'asc' })).toEqual({ sort: 'duration', order: 'asc' });
    expect(parseGenerationSearch({ sort: 'cost', order: 'desc' })).toEqual({ sort: 'cost' });
    expect(parseGenerationSearch({ order: 'asc' })).toEqual({ sort: 'created_at', order: 'asc' });
    expect(parseGenerationSearch({ sort: 'created_at' })).toEqual({});
    expect(toQuery(GENERATION_FILTERS, { sort: 'cost', order: 'asc' })).toEqual({ sort: 'cost', order: 'asc' });
    expect(hasFilters(GENERATION_FILTERS, { sort: 'cost' })).toBe(false);
  });

  it('drops invalid values', () => {
    expect(
      parseGenerationSearch({
        status: 'done',
        task: 1,
        model: 'gpt',
        from: '2026-02-31',
        to: 'x',
        q: ' ',
        person: '../x',
        view: 'x',
      }),
    ).toEqual({});
    expect(parseGenerationSearch({ q: 42 })).toEqual({ q: '42' });
  });

  it('turns a range of days into instants, end exclusive', () => {
    const filters = toQuery(GENERATION_FILTERS, { from: '2026-02-28', to: '2026-02-28' });
    expect(filters.created_after).toBe(new Date(2026, 1, 28).toISOString());
    expect(filters.created_before).toBe(new Date(2026, 2, 1).toISOString());
  });

  it('tells filters from view settings', () => {
    expect(hasFilters(GENERATION_FILTERS, { sort: 'created_at', order: 'asc' })).toBe(false);
    expect(hasFilters(GENERATION_FILTERS, { q: 'fox' })).toBe(true);
    expect(toQuery(GENERATION_FILTERS, { person: 'everybody' }, 'per_1')).toEqual({ person_id: 'per_1' });
  });
});
