import { expect, it } from 'vitest';
import { toQuery } from '#web/collections/filter-rows.ts';
import { LEDGER_FILTERS, parseLedgerSearch, showsEntries } from './ledger-search.ts';

it('keeps valid search parameters and drops the rest', () => {
  const search = {
    type: 'SETTLE',
    from: '2026-02-01',
    to: '2026-02-02',
    task: 'video.create',
    model: 'omni-video',
    key: 'key_1',
    generation: 'gen_1',
    run: 'run_1',
    entry: 500,
    q: 'red fox',
    ledger: 'entries',
    open: 'led_1',
  };
  expect(parseLedgerSearch(search)).toEqual(search);
  expect(
    parseLedgerSearch({
      entry: -1,
      q: ' ',
      ledger: 'x',
      open: '../1',
      type: 'settle',
      from: 'x',
      generation: '../1',
      task: 'toString',
      other: 1,
    }),
  ).toEqual({});
});

it('queries whole UTC days, as the spending chart groups them', () => {
  expect(
    toQuery(LEDGER_FILTERS, { from: '2026-02-01', to: '2026-02-28', key: 'key_1', run: 'run_1', entry: 7 }),
  ).toEqual({
    created_after: '2026-02-01T00:00:00.000Z',
    created_before: '2026-03-01T00:00:00.000Z',
    key_id: 'key_1',
    workflow_run_id: 'run_1',
    seq: '7',
  });
  expect(toQuery(LEDGER_FILTERS, {})).toEqual({});
});

it('shows charges unless entries, or a type that charges fold in, are asked for', () => {
  expect(
    [{}, { type: 'SETTLE' }, { type: 'RELEASE' }, { ledger: 'entries' }].map((search) =>
      showsEntries(search as object),
    ),
  ).toEqual([false, false, true, true]);
});
