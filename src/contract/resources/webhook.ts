import * as z from 'zod/mini';
import { timestamp } from '../primitives.ts';

/** Spec: Events */
export const EVENT_TYPES = ['generation.succeeded', 'generation.failed', 'generation.manual_review'] as const;

/** Spec: Webhook endpoint; Decision: Responses */
export const WebhookEndpoint = z.strictObject({
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.enum(EVENT_TYPES)),
  status: z.enum(['enabled', 'disabled']),
  created_at: timestamp(),
  last_delivery_at: z.nullable(timestamp()),
  last_delivery_status: z.nullable(z.enum(['pending', 'succeeded', 'failed'])),
});

export const WebhookEndpointCreated = z.strictObject({
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.enum(EVENT_TYPES)),
  /** Shown once. */
  secret: z.string().check(z.startsWith('whsec_')),
});

export const WebhookEndpointCreate = z.strictObject({
  url: z.string().check(z.minLength(1), z.maxLength(2048)),
  events: z.array(z.enum(EVENT_TYPES)).check(
    z.minLength(1),
    z.refine((events) => new Set(events).size === events.length, 'Name each event once.'),
  ),
});
