import { expect, it } from 'vitest';
import { joinSearch, toLedgerSearch } from './report-dimensions.ts';

it('filters by every group that the ledger knows, also by work without a value', () => {
  expect(toLedgerSearch('person', 'per_1')).toEqual({ person: 'per_1' });
  expect(toLedgerSearch('person', null)).toEqual({ person: '(none)' });
  expect(toLedgerSearch('tag:client', null)).toEqual({ tags: { client: null } });
  expect(toLedgerSearch('key', 'key_1')).toEqual({ key: 'key_1' });
  expect(toLedgerSearch('task', 'image.create')).toEqual({ task: 'image.create' });
  for (const [by, id] of [
    ['model', null],
    ['task', 'unknown'],
    ['provider', 'con_1'],
    ['tag:client', '(other)'],
  ] as const)
    expect(toLedgerSearch(by, id)).toBeNull();
});

it('opens the days of a time, within the period of the report', () => {
  expect(toLedgerSearch('month', '2026-02')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(toLedgerSearch('week', '2026-11-23')).toEqual({ from: '2026-11-23', to: '2026-11-29' });
  const week = { from: '2026-11-23', to: '2026-11-29' };
  expect(joinSearch({ from: '2026-11-01', to: '2026-11-25' }, week)).toEqual({ from: '2026-11-23', to: '2026-11-25' });
  expect(joinSearch({ from: '2026-11-24', to: '2026-11-30' }, week)).toEqual({ from: '2026-11-24', to: '2026-11-29' });
});

it('joins values of several tags', () => {
  expect(joinSearch({ person: 'per_1', tags: { client: 'Acme' } }, { tags: { project: null } })).toEqual({
    person: 'per_1',
    tags: { client: 'Acme', project: null },
  });
  expect(joinSearch({}, { key: 'key_1' })).toEqual({ key: 'key_1' });
});
