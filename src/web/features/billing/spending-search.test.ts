import { expect, it } from 'vitest';
import { joinSearch, toLedgerSearch } from './spending-search.ts';

it('filters by every group that the ledger knows, also by work without a value', () => {
  expect(toLedgerSearch('person', 'per_1')).toEqual({ person: 'per_1' });
  expect(toLedgerSearch('person', null)).toEqual({ person: '(none)' });
  expect(toLedgerSearch('tag:client', null)).toEqual({ tags: { client: null } });
  expect(toLedgerSearch('key', 'key_1')).toEqual({ key: 'key_1' });
  expect(toLedgerSearch('task', 'image.create')).toEqual({ task: 'image.create' });
  for (const [by, id] of [
    ['model', null],
    ['task', 'unknown'],
    ['month', '2026-02'],
    ['tag:client', '(other)'],
  ] as const)
    expect(toLedgerSearch(by, id)).toBeNull();
});

it('joins values of several tags', () => {
  expect(joinSearch({ person: 'per_1', tags: { client: 'Acme' } }, { tags: { project: null } })).toEqual({
    person: 'per_1',
    tags: { client: 'Acme', project: null },
  });
  expect(joinSearch({}, { key: 'key_1' })).toEqual({ key: 'key_1' });
});
