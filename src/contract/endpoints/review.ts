import * as z from 'zod/mini';
import { DOWN, INVALID, endpoint } from '../endpoint.ts';
import { pathId } from '../primitives.ts';
import { Review, ReviewDecide, UpstreamJob } from '../resources/review.ts';

const generationId = z.object({ generation_id: pathId() });

/** What a generation was at another service, and the outcomes that only a person can decide. */
export const reviewEndpoints = {
  get_upstream_job: endpoint({
    method: 'GET',
    path: '/v1/generations/{generation_id}/upstream',
    auth: 'organization',
    tag: 'Review',
    summary: 'Read a generation’s job at the upstream service, with its cost',
    params: generationId,
    status: 200,
    response: UpstreamJob,
    errors: { 404: ['generation_not_found', 'not_found'], 422: INVALID },
    addition: true,
  }),
  get_review: endpoint({
    method: 'GET',
    path: '/v1/generations/{generation_id}/review',
    auth: 'organization',
    tag: 'Review',
    summary: 'Read what there is to decide on a generation',
    params: generationId,
    status: 200,
    response: Review,
    errors: { 404: ['generation_not_found', 'not_found'], 422: INVALID },
    addition: true,
  }),
  decide_review: endpoint({
    method: 'POST',
    path: '/v1/generations/{generation_id}/review',
    auth: 'organization',
    tag: 'Review',
    summary: 'Approve or reject a generation that waits for a person',
    params: generationId,
    body: ReviewDecide,
    status: 200,
    response: Review,
    errors: {
      400: INVALID,
      404: ['generation_not_found', 'not_found'],
      409: ['not_in_review'],
      422: INVALID,
      503: [...DOWN, 'media_storage_unavailable'],
    },
    addition: true,
  }),
} as const;
