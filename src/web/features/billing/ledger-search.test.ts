import { expect, it } from 'vitest';
import { changeLedgerSearch, parseLedgerSearch, toLedgerFilters } from './ledger-search.ts';

it('keeps what it understands of the address, and drops the rest', () => {
  const search = { type: 'SETTLE', from: '2026-02-01', to: '2026-02-02', generation: 'gen_1' };
  expect(parseLedgerSearch(search)).toEqual(search);
  expect(parseLedgerSearch({ type: 'settle', from: 'x', generation: '../1', other: 1 })).toEqual({});
});

it('asks for the days from their first to their last instant', () => {
  expect(toLedgerFilters({ from: '2026-02-01', to: '2026-02-28', generation: 'gen_1' })).toEqual({
    created_after: new Date(2026, 1, 1).toISOString(),
    created_before: new Date(2026, 2, 1).toISOString(),
    generation_id: 'gen_1',
  });
  expect(toLedgerFilters({})).toEqual({});
});

it('changes one filter and lifts another', () => {
  expect(changeLedgerSearch({ type: 'SETTLE', from: '2026-02-01' }, { type: undefined, to: '2026-02-02' })).toEqual({
    from: '2026-02-01',
    to: '2026-02-02',
  });
});
