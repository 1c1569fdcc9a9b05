import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId, queryCursor, queryInteger, querySchema } from '../primitives.ts';
import { Share, ShareCreate, ShareUpdate } from '../resources/share.ts';

export const shareEndpoints = {
  list_shares: defineEndpoint({
    ...ENDPOINT_ROUTES.list_shares,
    tag: 'Shares',
    summary: 'List one’s own share pages, newest first; everybody’s for administrators and auditors',
    query: querySchema({
      limit: queryInteger(50, 1, 100),
      cursor: queryCursor(),
      /** `open`: neither revoked nor expired. `ended`: the others. */
      state: z.optional(z.enum(['open', 'ended'])),
      /** Only pages of this media item. */
      media_id: z.optional(pathId()),
      /** Only pages of this collection. */
      collection_id: z.optional(pathId()),
    }),
    status: 200,
    response: listSchema(Share),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  create_share: defineEndpoint({
    ...ENDPOINT_ROUTES.create_share,
    tag: 'Shares',
    summary: 'Create a public page of a media item or a collection',
    body: ShareCreate,
    status: 201,
    response: Share,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
  update_share: defineEndpoint({
    ...ENDPOINT_ROUTES.update_share,
    tag: 'Shares',
    summary: 'Change what an open share page shows, and when it ends',
    params: z.object({ share_id: pathId() }),
    body: ShareUpdate,
    status: 200,
    response: Share,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
  revoke_share: defineEndpoint({
    ...ENDPOINT_ROUTES.revoke_share,
    tag: 'Shares',
    summary: 'End a share page at once',
    params: z.object({ share_id: pathId() }),
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
