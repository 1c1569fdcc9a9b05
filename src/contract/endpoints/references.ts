import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { pathId } from '../primitives.ts';
import { ReferenceCheck, ReferenceCheckCreate } from '../resources/reference-check.ts';
import { SavedPost, SavedPostCreate } from '../resources/saved-post.ts';

export const referenceEndpoints = {
  check_reference: defineEndpoint({
    ...ENDPOINT_ROUTES.check_reference,
    tag: 'Media',
    summary: 'Check a reference URL before it is used',
    body: ReferenceCheckCreate,
    status: 200,
    response: ReferenceCheck,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST, 503: ['service_unavailable'] },
    addition: true,
  }),
  save_post: defineEndpoint({
    ...ENDPOINT_ROUTES.save_post,
    tag: 'Media',
    summary: 'Save the pictures of a found post to the library',
    params: z.object({ generation_id: pathId() }),
    body: SavedPostCreate,
    status: 201,
    response: SavedPost,
    errors: {
      400: INVALID_REQUEST,
      404: ['generation_not_found', 'not_found'],
      422: INVALID_REQUEST,
      503: ['media_storage_unavailable', 'service_unavailable'],
    },
    addition: true,
  }),
} as const;
