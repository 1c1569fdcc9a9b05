import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST, SERVICE_UNAVAILABLE } from '#contract/api/endpoint.ts';
import { id, listSchema, pathId, queryCursor, queryInteger, querySchema, timestamp } from '../primitives.ts';
import { Alert } from './alert.ts';
import { Verification } from './audit.ts';
import { Generation } from './generation.ts';
import { DELIVERY_STATUSES } from '../statuses.ts';

/** Spec: Events; the last two are an addition. Decision: Alerts */
export const WEBHOOK_EVENT_TYPES = [
  'generation.succeeded',
  'generation.failed',
  'generation.manual_review',
  'alert.raised',
  'ledger.verified',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** A generation, or for the last two types an alert or the result of a verification. */
const webhookObject = () => z.union([Generation, Alert, Verification]);
export type WebhookObject = z.infer<ReturnType<typeof webhookObject>>;

/** Payload of a delivery. Spec: Delivery */
export const WebhookEvent = z.strictObject({
  id: id('evt'),
  type: z.enum(WEBHOOK_EVENT_TYPES),
  created_at: timestamp(),
  data: z.strictObject({ object: webhookObject() }),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;

export const WebhookHealth = z.strictObject({
  window_days: z.int(),
  attempts: z.int(),
  failed_attempts: z.int(),
  failing_since: z.nullable(timestamp()),
  disabled_at: z.nullable(timestamp()),
  /** A sentence for the owner of the endpoint; null while deliveries succeed. */
  warning: z.nullable(z.string()),
});
export type WebhookHealth = z.infer<typeof WebhookHealth>;

/** Spec: Webhook endpoint; Decision: Responses. The optional fields are an addition. */
export const WebhookEndpoint = z.strictObject({
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
  status: z.enum(['enabled', 'disabled']),
  created_at: timestamp(),
  last_delivery_at: z.nullable(timestamp()),
  last_delivery_status: z.nullable(z.enum(DELIVERY_STATUSES)),
  health: z.optional(WebhookHealth),
  /** Until then, deliveries are also signed with the previous secret. */
  previous_secret_expires_at: z.optional(z.nullable(timestamp())),
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

const endpointSecretFields = {
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
  /** Shown once. */
  secret: z.string().check(z.startsWith('whsec_')),
};

export const WebhookEndpointCreated = z.strictObject(endpointSecretFields);
export type WebhookEndpointCreated = z.infer<typeof WebhookEndpointCreated>;

export const WebhookSecretRotated = z.strictObject({
  ...endpointSecretFields,
  previous_secret_expires_at: timestamp(),
});
export type WebhookSecretRotated = z.infer<typeof WebhookSecretRotated>;

export const WebhookEndpointCreate = z.strictObject({
  url: z.string().check(z.minLength(1), z.maxLength(2048)),
  events: z.array(z.enum(WEBHOOK_EVENT_TYPES)).check(
    z.minLength(1),
    z.refine((events) => new Set(events).size === events.length, 'List each event only once.'),
  ),
});
export type WebhookEndpointCreate = z.infer<typeof WebhookEndpointCreate>;

export const WebhookAttempt = z.strictObject({
  at: timestamp(),
  status_code: z.nullable(z.int()),
  /** A sentence; null if the delivery was acknowledged. */
  error: z.nullable(z.string()),
  latency_ms: z.int(),
  /** Start of the response as text without control characters. */
  excerpt: z.nullable(z.string()),
});
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

const deliveryFields = {
  id: id('dlv'),
  object: z.literal('webhook_delivery'),
  endpoint_id: z.uuid(),
  event_id: id('evt'),
  event_type: z.enum(WEBHOOK_EVENT_TYPES),
  /** null: the event is not about a generation. */
  generation_id: z.nullable(id('gen')),
  /** Test deliveries refer to a generation that does not exist. */
  test: z.boolean(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.array(WebhookAttempt),
  next_attempt_at: z.nullable(timestamp()),
  created_at: timestamp(),
};

/** Decision: Deliveries */
export const WebhookDelivery = z.strictObject(deliveryFields);
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/** Includes the payload; its media links are created anew with each request. */
export const WebhookDeliveryDetail = z.strictObject({ ...deliveryFields, payload: WebhookEvent });
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>;

const WebhookRecoveryRequest = z.strictObject({
  since: z.iso.datetime({ offset: true }),
  /** Counts what would be sent without sending it. */
  dry_run: z.optional(z.boolean()),
});

export const WebhookRecovery = z.strictObject({ object: z.literal('webhook_recovery'), count: z.int() });
export type WebhookRecovery = z.infer<typeof WebhookRecovery>;

const endpointParams = z.object({ endpoint_id: z.uuid() });
const deliveryParams = z.object({ delivery_id: pathId() });
const UNKNOWN_ENDPOINT = ['webhook_endpoint_not_found'] as const;
const UNKNOWN_DELIVERY = ['not_found'] as const;
const ENDPOINT_DISABLED = ['webhook_endpoint_disabled'] as const;

export const webhookApiEndpoints = defineEndpoints('Webhooks', {
  list_webhook_endpoints: {
    summary: 'List webhook endpoints',
    status: 200,
    response: listSchema(WebhookEndpoint),
    errors: {},
  },
  create_webhook_endpoint: {
    summary: 'Register a webhook endpoint; its secret is shown once',
    body: WebhookEndpointCreate,
    status: 200,
    response: WebhookEndpointCreated,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
  delete_webhook_endpoint: {
    summary: 'Delete a webhook endpoint',
    params: endpointParams,
    status: 204,
    response: null,
    errors: { 404: UNKNOWN_ENDPOINT, 422: INVALID_REQUEST },
  },
  enable_webhook_endpoint: {
    summary: 'Enable a webhook endpoint that was disabled for failing',
    params: endpointParams,
    status: 200,
    response: WebhookEndpoint,
    errors: { 404: UNKNOWN_ENDPOINT, 422: INVALID_REQUEST },
  },
  rotate_webhook_secret: {
    summary: 'Rotate the signing secret; the previous one also signs for 24 hours',
    params: endpointParams,
    status: 200,
    response: WebhookSecretRotated,
    errors: { 404: UNKNOWN_ENDPOINT, 422: INVALID_REQUEST },
  },
  test_webhook_endpoint: {
    summary: 'Send a signed test event',
    params: endpointParams,
    status: 201,
    response: WebhookDelivery,
    errors: { 404: UNKNOWN_ENDPOINT, 409: ENDPOINT_DISABLED, 422: INVALID_REQUEST },
  },
  recover_webhook_endpoint: {
    summary: 'Resend deliveries that failed since a time, including those still being retried',
    params: endpointParams,
    body: WebhookRecoveryRequest,
    status: 200,
    response: WebhookRecovery,
    errors: { 400: INVALID_REQUEST, 404: UNKNOWN_ENDPOINT, 409: ENDPOINT_DISABLED, 422: INVALID_REQUEST },
  },
  list_webhook_deliveries: {
    summary: 'List deliveries to a webhook endpoint with their attempts',
    params: endpointParams,
    query: querySchema({
      limit: queryInteger(50, 1, 100),
      cursor: queryCursor(),
      status: z.optional(z.enum(DELIVERY_STATUSES)),
    }),
    status: 200,
    response: listSchema(WebhookDelivery),
    errors: { 400: INVALID_REQUEST, 404: UNKNOWN_ENDPOINT, 422: INVALID_REQUEST },
  },
  get_webhook_delivery: {
    summary: 'Read a delivery with its payload',
    params: deliveryParams,
    status: 200,
    response: WebhookDeliveryDetail,
    errors: { 404: UNKNOWN_DELIVERY, 422: INVALID_REQUEST },
  },
  redeliver_webhook: {
    summary: 'Resend a delivery now with the same event id',
    params: deliveryParams,
    status: 200,
    response: WebhookDelivery,
    errors: { 404: UNKNOWN_DELIVERY, 409: ENDPOINT_DISABLED, 422: INVALID_REQUEST },
  },
});
