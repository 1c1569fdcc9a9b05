import { expect, test } from 'vitest';
import type { WebhookEndpoint, WebhookHealth } from '#contract/resources/webhook.ts';
import { formatFailureRate, endpointState } from './endpoint-state.ts';

const health = (fields: Partial<WebhookHealth>): WebhookHealth => ({
  window_days: 7,
  attempts: 0,
  failed_attempts: 0,
  failing_since: null,
  disabled_at: null,
  warning: null,
  ...fields,
});
const endpoint = (fields: Partial<WebhookEndpoint>): WebhookEndpoint => ({
  id: '6f1c9a52-9d0f-4a59-8d4c-3c3f0f6a0f11',
  url: 'https://hooks.example/',
  events: ['generation.failed'],
  status: 'enabled',
  created_at: '2026-03-01T10:00:00.000Z',
  last_delivery_at: null,
  last_delivery_status: null,
  ...fields,
});

test.each([
  [0, 0, 'No attempts in 7 days'],
  [1, 0, 'The only attempt in 7 days succeeded'],
  [40, 0, 'All 40 attempts in 7 days succeeded'],
  [40, 2, '2 of 40 attempts in 7 days failed (5%)'],
  [1, 1, '1 of 1 attempt in 7 days failed (100%)'],
  [900, 1, '1 of 900 attempts in 7 days failed (under 1%)'],
  [900, 899, '899 of 900 attempts in 7 days failed (over 99%)'],
])('formats %i attempts with %i failures', (attempts, failed_attempts, words) =>
  expect(formatFailureRate(health({ attempts, failed_attempts }))).toBe(words),
);

test.each([
  ['unused', {}],
  ['off', { status: 'disabled', health: health({ failing_since: '2026-03-01T10:00:00.000Z' }) }],
  ['failing', { last_delivery_status: 'pending', health: health({ failing_since: '2026-03-01T10:00:00.000Z' }) }],
  ['failing', { last_delivery_status: 'failed' }],
  ['working', { last_delivery_status: 'succeeded', health: health({ attempts: 3 }) }],
  ['working', { last_delivery_status: 'pending', health: health({ attempts: 3, failed_attempts: 1 }) }],
  ['unused', { last_delivery_status: 'pending', health: health({}) }],
] as const)('returns %s', (state, fields) => expect(endpointState(endpoint(fields))).toBe(state));
