import { DOWN, INVALID, ORDER_CODES, endpoint } from '../endpoint.ts';
import { listOf } from '../primitives.ts';
import { Model, Pricing, Task } from '../resources/catalog.ts';
import { EstimateRequest, EstimateResponse } from '../resources/generation.ts';

export const catalogEndpoints = {
  list_tasks: endpoint({
    method: 'GET',
    path: '/v1/tasks',
    auth: 'none',
    tag: 'Catalog',
    summary: 'List tasks',
    status: 200,
    response: listOf(Task),
    errors: { 503: DOWN },
  }),
  list_models: endpoint({
    method: 'GET',
    path: '/v1/models',
    auth: 'none',
    tag: 'Catalog',
    summary: 'List models',
    status: 200,
    response: listOf(Model),
    errors: { 503: DOWN },
  }),
  get_pricing: endpoint({
    method: 'GET',
    path: '/v1/pricing',
    auth: 'none',
    tag: 'Catalog',
    summary: 'Read published prices',
    status: 200,
    response: Pricing,
    errors: { 503: DOWN },
  }),
  create_estimate: endpoint({
    method: 'POST',
    path: '/v1/estimate',
    auth: 'none',
    tag: 'Catalog',
    summary: 'Price a request without running it',
    body: EstimateRequest,
    status: 200,
    response: EstimateResponse,
    errors: { 400: ORDER_CODES, 422: INVALID, 503: DOWN },
  }),
} as const;
