import { expect, test } from 'vitest';
import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import type { DeliveryStatus } from '#contract/statuses.ts';
import { deliveryPollInterval } from './webhooks.ts';

const nowMs = Date.parse('2026-03-01T10:00:00.000Z');
const delivery = (status: DeliveryStatus, inMs: number | null): WebhookDelivery => ({
  id: 'dlv_1',
  object: 'webhook_delivery',
  endpoint_id: '6f1c9a52-9d0f-4a59-8d4c-3c3f0f6a0f11',
  event_id: 'evt_1',
  event_type: 'generation.failed',
  generation_id: 'gen_1',
  test: false,
  status,
  attempts: [],
  next_attempt_at: inMs === null ? null : new Date(nowMs + inMs).toISOString(),
  created_at: new Date(nowMs).toISOString(),
});

test.each([
  ['does not poll once all are complete', [delivery('succeeded', null), delivery('failed', null)], false],
  ['polls often while an attempt is due', [delivery('pending', -200)], 1_500],
  ['polls when the next attempt is due', [delivery('pending', 300_000), delivery('pending', 20_000)], 20_000],
  ['polls once a minute while the next attempt is far off', [delivery('pending', 7_200_000)], 60_000],
] as const)('%s', (_what, deliveries, wait) => expect(deliveryPollInterval(deliveries, nowMs)).toBe(wait));
