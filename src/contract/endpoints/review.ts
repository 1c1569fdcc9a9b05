import * as z from 'zod/mini';
import { SERVICE_UNAVAILABLE, INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { pathId } from '../primitives.ts';
import { Review, ReviewDecisionRequest, UpstreamJob } from '../resources/review.ts';

const generationParams = z.object({ generation_id: pathId() });

export const reviewEndpoints = {
  get_upstream_job: defineEndpoint({
    ...ENDPOINT_ROUTES.get_upstream_job,
    tag: 'Review',
    summary: 'Read a generation’s job at its provider, with its cost',
    params: generationParams,
    status: 200,
    response: UpstreamJob,
    errors: { 404: ['generation_not_found', 'not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
  get_review: defineEndpoint({
    ...ENDPOINT_ROUTES.get_review,
    tag: 'Review',
    summary: 'Read a generation that needs review',
    params: generationParams,
    status: 200,
    response: Review,
    errors: { 404: ['generation_not_found', 'not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
  decide_review: defineEndpoint({
    ...ENDPOINT_ROUTES.decide_review,
    tag: 'Review',
    summary: 'Approve or reject a generation that needs review',
    params: generationParams,
    body: ReviewDecisionRequest,
    status: 200,
    response: Review,
    errors: {
      400: INVALID_REQUEST,
      404: ['generation_not_found', 'not_found'],
      409: ['not_in_review'],
      422: INVALID_REQUEST,
      503: [...SERVICE_UNAVAILABLE, 'media_storage_unavailable'],
    },
    addition: true,
  }),
} as const;
