import { describe, expect, it } from 'vitest';
import { isFiltered, parseGenerationSearch, toFilters, withoutFilters } from './search.ts';

describe('the address of the list', () => {
  it('keeps what it understands', () => {
    const search = {
      status: 'failed',
      task: 'video.create',
      model: 'omni-video',
      from: '2026-02-01',
      to: '2026-02-03',
    };
    expect(parseGenerationSearch({ ...search, q: '  fox ', view: 'gallery' })).toEqual({
      ...search,
      q: 'fox',
      view: 'gallery',
    });
  });

  it('drops what it does not', () => {
    expect(
      parseGenerationSearch({ status: 'done', task: 1, model: 'gpt', from: '2026-02-31', to: 'x', q: ' ', view: 'x' }),
    ).toEqual({});
    expect(parseGenerationSearch({ q: 42 })).toEqual({ q: '42' });
  });

  it('turns days into instants: from its first, up to the first after the last', () => {
    const filters = toFilters({ from: '2026-02-28', to: '2026-02-28' });
    expect(filters.created_after).toBe(new Date(2026, 1, 28).toISOString());
    expect(filters.created_before).toBe(new Date(2026, 2, 1).toISOString());
  });

  it('knows whether anything narrows the list', () => {
    expect(isFiltered({ view: 'gallery' })).toBe(false);
    expect(isFiltered({ q: 'fox' })).toBe(true);
    expect(withoutFilters({ q: 'fox', view: 'gallery' })).toEqual({ view: 'gallery' });
  });
});
