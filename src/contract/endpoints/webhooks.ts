import * as z from 'zod/mini';
import { DOWN, INVALID, endpoint } from '../endpoint.ts';
import { listOf } from '../primitives.ts';
import { WebhookEndpoint, WebhookEndpointCreate, WebhookEndpointCreated } from '../resources/webhook.ts';

export const webhookEndpoints = {
  list_webhook_endpoints: endpoint({
    method: 'GET',
    path: '/v1/webhooks/endpoints',
    auth: 'organization',
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    status: 200,
    response: listOf(WebhookEndpoint),
    errors: {},
  }),
  create_webhook_endpoint: endpoint({
    method: 'POST',
    path: '/v1/webhooks/endpoints',
    auth: 'organization',
    tag: 'Webhooks',
    summary: 'Register a webhook endpoint; its secret is shown once',
    body: WebhookEndpointCreate,
    status: 200,
    response: WebhookEndpointCreated,
    errors: { 400: INVALID, 422: INVALID, 503: DOWN },
  }),
  delete_webhook_endpoint: endpoint({
    method: 'DELETE',
    path: '/v1/webhooks/endpoints/{endpoint_id}',
    auth: 'organization',
    tag: 'Webhooks',
    summary: 'Deactivate a webhook endpoint',
    params: z.object({ endpoint_id: z.uuid() }),
    status: 204,
    response: null,
    errors: { 404: ['webhook_endpoint_not_found'], 422: INVALID },
  }),
} as const;
