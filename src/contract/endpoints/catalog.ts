import { SERVICE_UNAVAILABLE, INVALID_REQUEST, GENERATION_REQUEST_CODES, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema } from '../primitives.ts';
import { Model, Pricing, Task } from '../resources/catalog.ts';
import { EstimateRequest, EstimateResponse } from '../resources/generation.ts';

export const catalogEndpoints = {
  list_tasks: defineEndpoint({
    ...ENDPOINT_ROUTES.list_tasks,
    tag: 'Catalog',
    summary: 'List tasks',
    status: 200,
    response: listSchema(Task),
    errors: { 503: SERVICE_UNAVAILABLE },
  }),
  list_models: defineEndpoint({
    ...ENDPOINT_ROUTES.list_models,
    tag: 'Catalog',
    summary: 'List models',
    status: 200,
    response: listSchema(Model),
    errors: { 503: SERVICE_UNAVAILABLE },
  }),
  get_pricing: defineEndpoint({
    ...ENDPOINT_ROUTES.get_pricing,
    tag: 'Catalog',
    summary: 'Read published prices',
    status: 200,
    response: Pricing,
    errors: { 503: SERVICE_UNAVAILABLE },
  }),
  create_estimate: defineEndpoint({
    ...ENDPOINT_ROUTES.create_estimate,
    tag: 'Catalog',
    summary: 'Price a request without running it',
    body: EstimateRequest,
    status: 200,
    response: EstimateResponse,
    errors: { 400: GENERATION_REQUEST_CODES, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  }),
} as const;
