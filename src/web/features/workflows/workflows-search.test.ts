import { expect, it } from 'vitest';
import { toQuery } from '#web/collections/filter-rows.ts';
import {
  parseNewStarterSearch,
  parseRunSearch,
  parseStarterSearch,
  parseWorkflowsSearch,
  RUN_FILTERS,
} from './workflows-search.ts';

it('keeps known values and drops invalid ones', () => {
  const search = {
    part: 'runs',
    starter: 'product-clip',
    status: 'failed',
    from: '2026-02-01',
    to: '2026-02-03',
    q: ' fox ',
  };
  expect(parseWorkflowsSearch(search)).toEqual({ ...search, q: 'fox' });
  expect(
    parseWorkflowsSearch({ part: 'x', starter: 'No Slug', status: 'lost', from: '2026-02-31', q: {}, other: 1 }),
  ).toEqual({});
  expect(parseWorkflowsSearch({ q: 12 })).toEqual({ q: '12' });
  expect(parseStarterSearch({ from: 'run_1' })).toEqual({ from: 'run_1' });
  expect(parseStarterSearch({ from: '../x' })).toEqual({});
  expect(parseRunSearch({ step: 'picture', item: 1 })).toEqual({ step: 'picture' });
  expect(parseNewStarterSearch({ from: 'gen_1', like: 'a--b' })).toEqual({ from: 'gen_1' });
});

it('filters by whole local days', () => {
  const { created_after, created_before, starter_slug } = toQuery(RUN_FILTERS, {
    from: '2026-02-01',
    to: '2026-02-01',
    starter: 'a',
  });
  expect(new Date(created_after ?? '').getTime()).toBe(new Date(2026, 1, 1).getTime());
  expect(new Date(created_before ?? '').getTime()).toBe(new Date(2026, 1, 2).getTime());
  expect(starter_slug).toBe('a');
  expect(toQuery(RUN_FILTERS, parseWorkflowsSearch({ part: 'runs' }))).toEqual({});
});
