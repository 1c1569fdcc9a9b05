import { expect, it } from 'vitest';
import { toUploadFilters } from './uploads-view.tsx';
import { parseUploadsSearch } from './uploads-search.ts';

it('keeps known values and drops invalid ones', () => {
  const search = { kind: 'video', from: '2026-02-01', to: '2026-02-03', q: ' cat ' };
  expect(parseUploadsSearch({ ...search, other: 1 })).toEqual({ ...search, q: 'cat' });
  expect(parseUploadsSearch({ kind: 'sculpture', from: '2026-02-31', q: 7 })).toEqual({ q: '7' });
});

it('filters by whole local days', () => {
  const filters = toUploadFilters({ kind: 'image', from: '2026-02-01', to: '2026-02-03' });
  expect(filters).toEqual({
    type: 'image',
    created_after: new Date(2026, 1, 1).toISOString(),
    created_before: new Date(2026, 1, 4).toISOString(),
  });
});
