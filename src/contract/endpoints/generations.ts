import * as z from 'zod/mini';
import {
  SERVICE_UNAVAILABLE,
  INVALID_REQUEST,
  GENERATION_REQUEST_CODES,
  RETRY_CODES,
  defineEndpoint,
} from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import {
  listSchema,
  modelId,
  pathId,
  queryCursor,
  queryDateTime,
  queryInteger,
  querySchema,
  taskId,
} from '../primitives.ts';
import { tagFilter } from '../spending-filter.ts';
import { GENERATION_STATUSES } from '../generation-status.ts';
import { Activity } from '../resources/activity.ts';
import { GenerationCancellation, GenerationCancellationRequest } from '../resources/generation-cancellation.ts';
import { Generation, GenerationCreate } from '../resources/generation.ts';
import { UsualDuration } from '../resources/usual-duration.ts';

const generationParams = z.object({ generation_id: pathId() });

export const generationEndpoints = {
  list_generations: defineEndpoint({
    ...ENDPOINT_ROUTES.list_generations,
    tag: 'Generations',
    summary: 'List generations, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      /** Work of this person and their keys only. An addition. */
      person_id: z.optional(pathId()),
      /** An addition. */
      tags: tagFilter(),
      /** Generations of this batch only. An addition. */
      batch_id: z.optional(pathId()),
      status: z.optional(z.enum(GENERATION_STATUSES)),
      task: z.optional(taskId()),
      model: z.optional(modelId()),
      created_after: queryDateTime(),
      created_before: queryDateTime(),
      q: z.optional(z.string().check(z.maxLength(500))),
    }),
    status: 200,
    response: listSchema(Generation),
    errors: { 422: INVALID_REQUEST },
  }),
  create_generation: defineEndpoint({
    ...ENDPOINT_ROUTES.create_generation,
    tag: 'Generations',
    summary: 'Start a generation',
    body: GenerationCreate,
    idempotency: 'optional',
    status: 201,
    response: Generation,
    errors: {
      400: GENERATION_REQUEST_CODES,
      402: ['insufficient_balance'],
      409: ['idempotency_conflict'],
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  }),
  get_generation: defineEndpoint({
    ...ENDPOINT_ROUTES.get_generation,
    tag: 'Generations',
    summary: 'Read a generation',
    params: generationParams,
    status: 200,
    response: Generation,
    errors: { 404: ['generation_not_found'], 422: INVALID_REQUEST },
  }),
  cancel_generation: defineEndpoint({
    ...ENDPOINT_ROUTES.cancel_generation,
    tag: 'Generations',
    summary: 'Cancel a generation and release its reservation',
    params: generationParams,
    status: 200,
    response: Generation,
    errors: { 404: ['generation_not_found'], 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  }),
  cancel_generations: defineEndpoint({
    ...ENDPOINT_ROUTES.cancel_generations,
    tag: 'Generations',
    summary: 'Cancel several generations, or all own queued ones',
    body: GenerationCancellationRequest,
    status: 200,
    response: GenerationCancellation,
    errors: { 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
    addition: true,
  }),
  retry_generation: defineEndpoint({
    ...ENDPOINT_ROUTES.retry_generation,
    tag: 'Generations',
    summary: 'Retry a failed or canceled generation',
    params: generationParams,
    idempotency: 'optional',
    status: 201,
    response: Generation,
    errors: {
      400: GENERATION_REQUEST_CODES,
      402: ['insufficient_balance'],
      404: ['generation_not_found'],
      409: RETRY_CODES,
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  }),
  get_activity: defineEndpoint({
    ...ENDPOINT_ROUTES.get_activity,
    tag: 'Generations',
    summary: 'Get own running and queued work, with queue positions and estimated times',
    status: 200,
    response: Activity,
    errors: {},
    addition: true,
  }),
  list_usual_durations: defineEndpoint({
    ...ENDPOINT_ROUTES.list_usual_durations,
    tag: 'Generations',
    summary: 'List how long each task and model usually takes',
    status: 200,
    response: listSchema(UsualDuration),
    errors: {},
    addition: true,
  }),
} as const;
