import * as z from 'zod/mini';
import { DOWN, INVALID, ORDER_CODES, RETRY_CODES, endpoint } from '../endpoint.ts';
import { listOf, modelId, pathId, queryCursor, queryDateTime, queryInteger, queryOf, taskId } from '../primitives.ts';
import { GENERATION_STATUSES } from '../generation-status.ts';
import { Generation, GenerationCreate } from '../resources/generation.ts';

const generationId = z.object({ generation_id: pathId() });

export const generationEndpoints = {
  list_generations: endpoint({
    method: 'GET',
    path: '/v1/generations',
    auth: 'bearer',
    tag: 'Generations',
    summary: 'List generations, newest first',
    query: queryOf({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      status: z.optional(z.enum(GENERATION_STATUSES)),
      task: z.optional(taskId()),
      model: z.optional(modelId()),
      created_after: queryDateTime(),
      created_before: queryDateTime(),
      /** Text to find in the prompt or query. */
      q: z.optional(z.string().check(z.maxLength(500))),
    }),
    status: 200,
    response: listOf(Generation),
    errors: { 422: INVALID },
  }),
  create_generation: endpoint({
    method: 'POST',
    path: '/v1/generations',
    auth: 'bearer',
    tag: 'Generations',
    summary: 'Start a generation',
    body: GenerationCreate,
    idempotency: 'optional',
    status: 201,
    response: Generation,
    errors: {
      400: ORDER_CODES,
      402: ['insufficient_balance'],
      409: ['idempotency_conflict'],
      422: INVALID,
      503: DOWN,
    },
  }),
  get_generation: endpoint({
    method: 'GET',
    path: '/v1/generations/{generation_id}',
    auth: 'bearer',
    tag: 'Generations',
    summary: 'Read a generation',
    params: generationId,
    status: 200,
    response: Generation,
    errors: { 404: ['generation_not_found'], 422: INVALID },
  }),
  cancel_generation: endpoint({
    method: 'POST',
    path: '/v1/generations/{generation_id}/cancel',
    auth: 'bearer',
    tag: 'Generations',
    summary: 'Cancel a generation; its reservation comes back',
    params: generationId,
    status: 200,
    response: Generation,
    errors: { 404: ['generation_not_found'], 422: INVALID, 503: DOWN },
  }),
  retry_generation: endpoint({
    method: 'POST',
    path: '/v1/generations/{generation_id}/retry',
    auth: 'bearer',
    tag: 'Generations',
    summary: 'Start a failed or canceled generation again',
    params: generationId,
    idempotency: 'optional',
    status: 201,
    response: Generation,
    errors: {
      400: ORDER_CODES,
      402: ['insufficient_balance'],
      404: ['generation_not_found'],
      409: RETRY_CODES,
      422: INVALID,
      503: DOWN,
    },
  }),
} as const;
