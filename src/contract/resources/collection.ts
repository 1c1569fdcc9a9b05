import * as z from 'zod/mini';
import { line } from '../one-line.ts';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { MAX_COLLECTION_CHANGE, MAX_COLLECTION_DESCRIPTION_LENGTH, MAX_COLLECTION_NAME_LENGTH } from '../limits.ts';
import {
  creatorSchema,
  id,
  listSchema,
  pathId,
  queryCursor,
  queryInteger,
  querySchema,
  timestamp,
} from '../primitives.ts';
import { derivativesSchema, mediaIdSchema } from './media.ts';
import { MEDIA_KINDS } from '../task.ts';

const nameSchema = () => line(MAX_COLLECTION_NAME_LENGTH);
const descriptionSchema = () => z.string().check(z.trim(), z.maxLength(MAX_COLLECTION_DESCRIPTION_LENGTH));
const mediaIdsSchema = () => z.array(mediaIdSchema()).check(z.minLength(1), z.maxLength(MAX_COLLECTION_CHANGE));

/** The media item that stands for a collection. */
const coverSchema = z.strictObject({
  id: mediaIdSchema(),
  type: z.enum(MEDIA_KINDS),
  url: z.string(),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  derivatives: derivativesSchema(),
  /** Chosen by somebody, rather than the one that was added last. */
  is_chosen: z.boolean(),
});

/** A named group of media. Decision: Collections */
export const Collection = z.strictObject({
  object: z.literal('collection'),
  id: id('col'),
  name: z.string(),
  /** Notes; empty if there are none. */
  description: z.string(),
  /** Media that the caller sees in it. Those in the trash do not count. */
  media_count: z.int(),
  /** null: it is empty. */
  cover: z.nullable(coverSchema),
  created_at: timestamp(),
  updated_at: timestamp(),
  created_by: creatorSchema(),
});
export type Collection = z.infer<typeof Collection>;

const CollectionCreate = z.strictObject({
  name: nameSchema(),
  description: z._default(descriptionSchema(), ''),
});

/** Missing fields are not changed. */
const CollectionUpdate = z.strictObject({
  name: z.optional(nameSchema()),
  description: z.optional(descriptionSchema()),
  /** A media item of the collection; null: the one that was added last. */
  cover_media_id: z.optional(z.nullable(mediaIdSchema())),
});

const CollectionMediaRequest = z.strictObject({ media_ids: mediaIdsSchema() });

export const CollectionChange = z.strictObject({
  object: z.literal('collection_change'),
  /** Media that were added or removed now. Those that were in it already, or not, are left out. */
  changed_ids: z.array(mediaIdSchema()),
  /** Unknown or deleted media. */
  missing_ids: z.array(mediaIdSchema()),
  collection: Collection,
});
export type CollectionChange = z.infer<typeof CollectionChange>;

const collectionParams = z.object({ collection_id: pathId() });
const UNKNOWN_COLLECTION = { 404: ['not_found'], 422: INVALID_REQUEST } as const;

export const collectionEndpoints = defineEndpoints('Collections', {
  list_collections: {
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
  },
  create_collection: {
    summary: 'Create a collection',
    body: CollectionCreate,
    status: 201,
    response: Collection,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  get_collection: {
    summary: 'Read a collection',
    params: collectionParams,
    status: 200,
    response: Collection,
    errors: UNKNOWN_COLLECTION,
  },
  update_collection: {
    summary: 'Change the name, notes or cover of a collection',
    params: collectionParams,
    body: CollectionUpdate,
    status: 200,
    response: Collection,
    errors: { 400: INVALID_REQUEST, ...UNKNOWN_COLLECTION },
  },
  delete_collection: {
    summary: 'Delete a collection; its media stay in the library',
    params: collectionParams,
    status: 204,
    response: null,
    errors: UNKNOWN_COLLECTION,
  },
  add_collection_media: {
    summary: 'Add media to a collection',
    params: collectionParams,
    body: CollectionMediaRequest,
    status: 200,
    response: CollectionChange,
    errors: { 400: INVALID_REQUEST, ...UNKNOWN_COLLECTION },
  },
  remove_collection_media: {
    summary: 'Remove media from a collection; they stay in the library',
    params: collectionParams,
    body: CollectionMediaRequest,
    status: 200,
    response: CollectionChange,
    errors: { 400: INVALID_REQUEST, ...UNKNOWN_COLLECTION },
  },
});
