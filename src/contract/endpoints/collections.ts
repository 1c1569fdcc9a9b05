import * as z from 'zod/mini';
import { MAX_COLLECTION_NAME_LENGTH } from '../collection-limits.ts';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId, queryCursor, queryInteger, querySchema } from '../primitives.ts';
import {
  Collection,
  CollectionChange,
  CollectionCreate,
  CollectionMediaRequest,
  CollectionUpdate,
} from '../resources/collection.ts';

const collectionParams = z.object({ collection_id: pathId() });
const UNKNOWN_COLLECTION = { 404: ['not_found'], 422: INVALID_REQUEST } as const;

export const collectionEndpoints = {
  list_collections: defineEndpoint({
    ...ENDPOINT_ROUTES.list_collections,
    tag: 'Collections',
    summary: 'List collections of media, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      /** Part of the name, in upper or lower case. */
      q: z.optional(z.string().check(z.maxLength(MAX_COLLECTION_NAME_LENGTH))),
      /** Only collections that this media item is in. */
      media_id: z.optional(pathId()),
    }),
    status: 200,
    response: listSchema(Collection),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  create_collection: defineEndpoint({
    ...ENDPOINT_ROUTES.create_collection,
    tag: 'Collections',
    summary: 'Create a collection',
    body: CollectionCreate,
    status: 201,
    response: Collection,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  get_collection: defineEndpoint({
    ...ENDPOINT_ROUTES.get_collection,
    tag: 'Collections',
    summary: 'Read a collection',
    params: collectionParams,
    status: 200,
    response: Collection,
    errors: UNKNOWN_COLLECTION,
    addition: true,
  }),
  update_collection: defineEndpoint({
    ...ENDPOINT_ROUTES.update_collection,
    tag: 'Collections',
    summary: 'Change the name, notes or cover of a collection',
    params: collectionParams,
    body: CollectionUpdate,
    status: 200,
    response: Collection,
    errors: { 400: INVALID_REQUEST, ...UNKNOWN_COLLECTION },
    addition: true,
  }),
  delete_collection: defineEndpoint({
    ...ENDPOINT_ROUTES.delete_collection,
    tag: 'Collections',
    summary: 'Delete a collection; its media stay in the library',
    params: collectionParams,
    status: 204,
    response: null,
    errors: UNKNOWN_COLLECTION,
    addition: true,
  }),
  add_collection_media: defineEndpoint({
    ...ENDPOINT_ROUTES.add_collection_media,
    tag: 'Collections',
    summary: 'Add media to a collection',
    params: collectionParams,
    body: CollectionMediaRequest,
    status: 200,
    response: CollectionChange,
    errors: { 400: INVALID_REQUEST, ...UNKNOWN_COLLECTION },
    addition: true,
  }),
  remove_collection_media: defineEndpoint({
    ...ENDPOINT_ROUTES.remove_collection_media,
    tag: 'Collections',
    summary: 'Remove media from a collection; they stay in the library',
    params: collectionParams,
    body: CollectionMediaRequest,
    status: 200,
    response: CollectionChange,
    errors: { 400: INVALID_REQUEST, ...UNKNOWN_COLLECTION },
    addition: true,
  }),
} as const;
