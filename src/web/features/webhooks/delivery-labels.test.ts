import { expect, test } from 'vitest';
import {
  formatAttemptResponse,
  DELIVERY_STATE_LABELS,
  deliveryState,
  formatDeliveryOutcome,
} from './delivery-labels.ts';
import { parseSignatureCheckSearch, parseDeliverySearch } from './webhook-search.ts';

const attempt = {
  at: '2026-03-01T10:00:00.000Z',
  status_code: 500,
  error: 'It answered 500.',
  latency_ms: 84,
  excerpt: null,
};

test.each([
  ['succeeded', 1, 'At the first attempt'],
  ['succeeded', 3, 'At attempt 3'],
  ['failed', 6, 'After 6 attempts'],
  ['failed', 0, 'Not sent: it was switched off'],
] as const)('%s after %i attempts', (status, count, words) =>
  expect(formatDeliveryOutcome({ status, attempts: Array.from({ length: count }, () => attempt) })).toBe(words),
);

test('a delivery whose first attempts failed is being retried', () => {
  expect(deliveryState({ status: 'pending', attempts: [] })).toBe('pending');
  expect(deliveryState({ status: 'pending', attempts: [attempt] })).toBe('retrying');
  expect(deliveryState({ status: 'failed', attempts: [attempt] })).toBe('failed');
  expect(DELIVERY_STATE_LABELS.retrying).toEqual({ label: 'Retrying', tone: 'amber' });
});

test('an answer, and none', () => {
  expect(formatAttemptResponse(attempt)).toBe('Answered 500 · 84 ms');
  expect(formatAttemptResponse({ ...attempt, status_code: null, latency_ms: 10_020 })).toBe('No answer · 10.0 s');
});

test('an address that is not understood shows everything', () => {
  expect(parseDeliverySearch({ deliveries: 'failed' })).toEqual({ deliveries: 'failed' });
  expect(parseDeliverySearch({ deliveries: 'lost' })).toEqual({});
  expect(parseSignatureCheckSearch({ delivery: 'dlv_1' })).toEqual({ delivery: 'dlv_1' });
  expect(parseSignatureCheckSearch({ delivery: '../keys' })).toEqual({});
});
