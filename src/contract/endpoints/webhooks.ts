import * as z from 'zod/mini';
import { SERVICE_UNAVAILABLE, INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId, queryCursor, queryInteger, querySchema } from '../primitives.ts';
import {
  DELIVERY_STATUSES,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointCreated,
  WebhookRecoveryRequest,
  WebhookRecovery,
  WebhookSecretRotated,
} from '../resources/webhook.ts';

const common = { tag: 'Webhooks' } as const;
const endpointParams = z.object({ endpoint_id: z.uuid() });
const deliveryParams = z.object({ delivery_id: pathId() });
const UNKNOWN_ENDPOINT = ['webhook_endpoint_not_found'] as const;
const UNKNOWN_DELIVERY = ['not_found'] as const;
const ENDPOINT_DISABLED = ['webhook_endpoint_disabled'] as const;

export const webhookApiEndpoints = {
  list_webhook_endpoints: defineEndpoint({
    ...ENDPOINT_ROUTES.list_webhook_endpoints,
    ...common,
    summary: 'List webhook endpoints',
    status: 200,
    response: listSchema(WebhookEndpoint),
    errors: {},
  }),
  create_webhook_endpoint: defineEndpoint({
    ...ENDPOINT_ROUTES.create_webhook_endpoint,
    ...common,
    summary: 'Register a webhook endpoint; its secret is shown once',
    body: WebhookEndpointCreate,
    status: 200,
    response: WebhookEndpointCreated,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  }),
  delete_webhook_endpoint: defineEndpoint({
    ...ENDPOINT_ROUTES.delete_webhook_endpoint,
    ...common,
    summary: 'Delete a webhook endpoint',
    params: endpointParams,
    status: 204,
    response: null,
    errors: { 404: UNKNOWN_ENDPOINT, 422: INVALID_REQUEST },
  }),
  enable_webhook_endpoint: defineEndpoint({
    ...ENDPOINT_ROUTES.enable_webhook_endpoint,
    ...common,
    summary: 'Enable a webhook endpoint that was disabled for failing',
    params: endpointParams,
    status: 200,
    response: WebhookEndpoint,
    errors: { 404: UNKNOWN_ENDPOINT, 422: INVALID_REQUEST },
    addition: true,
  }),
  rotate_webhook_secret: defineEndpoint({
    ...ENDPOINT_ROUTES.rotate_webhook_secret,
    ...common,
    summary: 'Rotate the signing secret; the previous one also signs for 24 hours',
    params: endpointParams,
    status: 200,
    response: WebhookSecretRotated,
    errors: { 404: UNKNOWN_ENDPOINT, 422: INVALID_REQUEST },
    addition: true,
  }),
  test_webhook_endpoint: defineEndpoint({
    ...ENDPOINT_ROUTES.test_webhook_endpoint,
    ...common,
    summary: 'Send a signed test event',
    params: endpointParams,
    status: 201,
    response: WebhookDelivery,
    errors: { 404: UNKNOWN_ENDPOINT, 409: ENDPOINT_DISABLED, 422: INVALID_REQUEST },
    addition: true,
  }),
  recover_webhook_endpoint: defineEndpoint({
    ...ENDPOINT_ROUTES.recover_webhook_endpoint,
    ...common,
    summary: 'Resend deliveries that failed since a time, including those still being retried',
    params: endpointParams,
    body: WebhookRecoveryRequest,
    status: 200,
    response: WebhookRecovery,
    errors: { 400: INVALID_REQUEST, 404: UNKNOWN_ENDPOINT, 409: ENDPOINT_DISABLED, 422: INVALID_REQUEST },
    addition: true,
  }),
  list_webhook_deliveries: defineEndpoint({
    ...ENDPOINT_ROUTES.list_webhook_deliveries,
    ...common,
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
    addition: true,
  }),
  get_webhook_delivery: defineEndpoint({
    ...ENDPOINT_ROUTES.get_webhook_delivery,
    ...common,
    summary: 'Read a delivery with its payload',
    params: deliveryParams,
    status: 200,
    response: WebhookDeliveryDetail,
    errors: { 404: UNKNOWN_DELIVERY, 422: INVALID_REQUEST },
    addition: true,
  }),
  redeliver_webhook: defineEndpoint({
    ...ENDPOINT_ROUTES.redeliver_webhook,
    ...common,
    summary: 'Resend a delivery now with the same event id',
    params: deliveryParams,
    status: 200,
    response: WebhookDelivery,
    errors: { 404: UNKNOWN_DELIVERY, 409: ENDPOINT_DISABLED, 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
