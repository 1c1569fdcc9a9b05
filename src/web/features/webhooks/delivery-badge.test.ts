import { expect, test } from 'vitest';
import {
  formatAttemptResponse,
  DELIVERY_STATE_LABELS,
  deliveryState,
  formatDeliveryOutcome,
} from './delivery-badge.tsx';
import { parseSignatureCheckSearch, parseDeliverySearch } from './webhook-search.ts';

const attempt = {
  at: '2026-03-01T10:00:00.000Z',
  status_code: 500,
  error: 'The receiver responded with 500.',
  latency_ms: 84,
  excerpt: null,
};

test.each([
  ['succeeded', 1, '1 attempt'],
  ['succeeded', 3, '3 attempts'],
  ['failed', 6, '6 attempts'],
  ['failed', 0, 'Not sent: endpoint disabled'],
] as const)('formats %s after %i attempts', (status, count, words) =>
  expect(formatDeliveryOutcome({ status, attempts: Array.from({ length: count }, () => attempt) })).toBe(words),
);

test('shows a delivery whose first attempts failed as retrying', () => {
  expect(deliveryState({ status: 'pending', attempts: [] })).toBe('pending');
  expect(deliveryState({ status: 'pending', attempts: [attempt] })).toBe('retrying');
  expect(deliveryState({ status: 'failed', attempts: [attempt] })).toBe('failed');
  expect(DELIVERY_STATE_LABELS.retrying).toEqual({ label: 'Retrying', tone: 'amber' });
});

test('formats a response and a missing one', () => {
  expect(formatAttemptResponse(attempt)).toBe('HTTP 500 · 84 ms');
  expect(formatAttemptResponse({ ...attempt, status_code: null, latency_ms: 10_020 })).toBe('No response · 10.0 s');
});

test('drops search parameters that are not valid', () => {
  expect(parseDeliverySearch({ deliveries: 'failed' })).toEqual({ deliveries: 'failed' });
  expect(parseDeliverySearch({ deliveries: 'lost' })).toEqual({});
  expect(parseSignatureCheckSearch({ delivery: 'dlv_1' })).toEqual({ delivery: 'dlv_1' });
  expect(parseSignatureCheckSearch({ delivery: '../keys' })).toEqual({});
});
