import { expect, it } from 'vitest';
import { parseBillingSearch } from './billing-search.ts';
import { PERIOD_PRESETS } from './period.ts';

it('opens the report at the addresses of the pages that it replaced', () => {
  expect(parseBillingSearch({ part: 'pivot' })).toEqual({ part: 'report', rows: 'person', columns: 'task' });
  const tags = { client: 'Acme' };
  expect(parseBillingSearch({ part: 'pivot', rows: 'tag:client', columns: 'week', from: '2026-11-01', tags })).toEqual({
    part: 'report',
    rows: 'tag:client',
    columns: 'week',
    from: '2026-11-01',
    tags,
  });
  const margin = { part: 'report', measure: 'margin' };
  expect(parseBillingSearch({ part: 'margin', group: 'provider', to: '2026-11-30' })).toEqual({
    ...margin,
    rows: 'provider',
    to: '2026-11-30',
  });
  const thisMonth = PERIOD_PRESETS.this_month.of(new Date());
  expect(parseBillingSearch({ part: 'margin' })).toEqual({ ...margin, rows: 'model', ...thisMonth });
});

it('keeps what a statement was broken down by for its export', () => {
  const search = { part: 'statement', month: '2026-11', by: 'tag:client' };
  expect(parseBillingSearch(search)).toEqual(search);
});
