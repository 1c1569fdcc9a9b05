import { expect, it } from 'vitest';
import { FINDING_KINDS } from '#contract/resources/closing-finding.ts';
import { toQuery } from '#web/collections/filter-rows.ts';
import { FINDING_FILTERS, KIND_LABELS, parseCloseSearch } from './close-search.ts';

it('keeps valid search parameters and drops the rest', () => {
  const search = {
    provider: 'file:painter',
    finding: 'theirs_only',
    settled: 'open',
    q: 'motion-3',
    bill: 'bil_1',
    row: 12,
  };
  expect(parseCloseSearch(search)).toEqual(search);
  expect(parseCloseSearch({ provider: 'prv_../1', finding: 'toString', settled: 'maybe', q: ' ', row: 0 })).toEqual({});
  expect(parseCloseSearch({ row: '1e3', bill: '../1', kind: 'equal' })).toEqual({});
});

it('asks for findings by the names of the service', () => {
  const search = parseCloseSearch({ finding: 'ours_only', settled: 'settled', q: 'job-1', row: 7 });
  expect(toQuery(FINDING_FILTERS, search)).toEqual({ kind: 'ours_only', settled: 'settled', q: 'job-1' });
});

it('has a label for each kind of finding', () => {
  expect(Object.keys(KIND_LABELS).toSorted()).toEqual([...FINDING_KINDS].toSorted());
});
