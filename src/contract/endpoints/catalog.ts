import { SERVICE_UNAVAILABLE, INVALID_REQUEST, GENERATION_REQUEST_CODES, defineEndpoint } from '../endpoint.ts';
import { listSchema } from '../primitives.ts';
import { Model, Pricing, Task } from '../resources/catalog.ts';
import { EstimateRequest, EstimateResponse } from '../resources/generation.ts';

export const catalogEndpoints = {
  list_tasks: defineEndpoint({
    method: 'GET',
    path: '/v1/tasks',
    auth: 'none',
    tag: 'Catalog',
    summary: 'List tasks',
    status: 200,
    response: listSchema(Task),
    errors: { 503: SERVICE_UNAVAILABLE },
  }),
  list_models: defineEndpoint({
    method: 'GET',
    path: '/v1/models',
    auth: 'none',
    tag: 'Catalog',
    summary: 'List models',
    status: 200,
    response: listSchema(Model),
    errors: { 503: SERVICE_UNAVAILABLE },
  }),
  get_pricing: defineEndpoint({
    method: 'GET',
    path: '/v1/pricing',
    auth: 'none',
    tag: 'Catalog',
    summary: 'Read published prices',
    status: 200,
    response: Pricing,
    errors: { 503: SERVICE_UNAVAILABLE },
  }),
  create_estimate: defineEndpoint({
    method: 'POST',
    path: '/v1/estimate',
    auth: 'none',
    tag: 'Catalog',
    summary: 'Price a request without running it',
    body: EstimateRequest,
    status: 200,
    response: EstimateResponse,
    errors: { 400: GENERATION_REQUEST_CODES, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  }),
} as const;
