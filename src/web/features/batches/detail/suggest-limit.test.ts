import { expect, it } from 'vitest';
import { suggestLimit } from './suggest-limit.ts';

const batch = {
  stop_at_usd: '0.20',
  pause_reason: 'stop_at',
  estimated_usd: '0.36',
  spent_usd: '0.18',
  reserved_usd: '0.00',
} as const;

it('suggests what the whole batch needs where the limit was reached', () => {
  expect(suggestLimit(batch)).toBe('0.36');
});

it('suggests no limit where the estimate was too low', () => {
  expect(suggestLimit({ ...batch, estimated_usd: '0.18' })).toBe('');
  expect(suggestLimit({ ...batch, stop_at_usd: '0.40', spent_usd: '0.39' })).toBe('');
});

it('keeps a limit that did not pause the batch', () => {
  expect(suggestLimit({ ...batch, pause_reason: 'requested' })).toBe('0.20');
  expect(suggestLimit({ ...batch, stop_at_usd: null, pause_reason: 'funds' })).toBe('');
});
