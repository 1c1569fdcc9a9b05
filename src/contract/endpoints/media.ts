import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
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
import { MAX_LABEL_LENGTH } from '../label-limits.ts';
import { MediaLabel, MediaLabelChange, MediaLabelRequest } from '../resources/media-label.ts';
import { MediaLineage } from '../resources/media-lineage.ts';
import {
  MEDIA_ORIGINS,
  MEDIA_TYPES,
  MediaArchive,
  MediaArchiveCreate,
  MediaDeletionRequest,
  MediaDeletion,
  MediaDetail,
  MediaItem,
  MediaRename,
  MediaRestoration,
  MediaRestoreRequest,
} from '../resources/media.ts';

const mediaParams = z.object({ media_id: pathId() });
const UNKNOWN_MEDIA = { 404: ['not_found'], 422: INVALID_REQUEST } as const;

export const mediaEndpoints = {
  list_media: defineEndpoint({
    ...ENDPOINT_ROUTES.list_media,
    tag: 'Media',
    summary: 'List uploads and outputs, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      /** Work of this person and their keys only. An addition. */
      person_id: z.optional(pathId()),
      type: z.optional(z.enum(MEDIA_TYPES)),
      origin: z.optional(z.enum(MEDIA_ORIGINS)),
      task: z.optional(taskId()),
      model: z.optional(modelId()),
      created_after: queryDateTime(),
      created_before: queryDateTime(),
      favourite: z.optional(z.enum(['true', 'false'])),
      /** `true`: the trash instead of the library. */
      in_trash: z.optional(z.enum(['true', 'false'])),
      /** Only media with this label. */
      label: z.optional(z.string().check(z.maxLength(MAX_LABEL_LENGTH))),
      /** Only media of this collection, those added last first. */
      collection_id: z.optional(pathId()),
      q: z.optional(z.string().check(z.maxLength(500))),
    }),
    status: 200,
    response: listSchema(MediaItem),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  get_media: defineEndpoint({
    ...ENDPOINT_ROUTES.get_media,
    tag: 'Media',
    summary: 'Read a media item with its usage',
    params: mediaParams,
    status: 200,
    response: MediaDetail,
    errors: UNKNOWN_MEDIA,
    addition: true,
  }),
  rename_media: defineEndpoint({
    ...ENDPOINT_ROUTES.rename_media,
    tag: 'Media',
    summary: 'Rename a media item',
    params: mediaParams,
    body: MediaRename,
    status: 200,
    response: MediaItem,
    errors: { 400: INVALID_REQUEST, ...UNKNOWN_MEDIA },
    addition: true,
  }),
  get_media_lineage: defineEndpoint({
    ...ENDPOINT_ROUTES.get_media_lineage,
    tag: 'Media',
    summary: 'Read the lineage of a media item: sources, results and cost',
    params: mediaParams,
    query: querySchema({
      /** Maximum number of generations in each direction. */
      depth: queryInteger(10, 1, 50),
      limit: queryInteger(200, 10, 500),
    }),
    status: 200,
    response: MediaLineage,
    errors: UNKNOWN_MEDIA,
    addition: true,
  }),
  add_favourite: defineEndpoint({
    ...ENDPOINT_ROUTES.add_favourite,
    tag: 'Media',
    summary: 'Add a media item to favorites',
    params: mediaParams,
    status: 200,
    response: MediaItem,
    errors: UNKNOWN_MEDIA,
    addition: true,
  }),
  remove_favourite: defineEndpoint({
    ...ENDPOINT_ROUTES.remove_favourite,
    tag: 'Media',
    summary: 'Remove a media item from favorites',
    params: mediaParams,
    status: 200,
    response: MediaItem,
    errors: UNKNOWN_MEDIA,
    addition: true,
  }),
  delete_media: defineEndpoint({
    ...ENDPOINT_ROUTES.delete_media,
    tag: 'Media',
    summary: 'Delete media, except files that an unfinished generation needs',
    body: MediaDeletionRequest,
    status: 200,
    response: MediaDeletion,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  restore_media: defineEndpoint({
    ...ENDPOINT_ROUTES.restore_media,
    tag: 'Media',
    summary: 'Restore media from the trash',
    body: MediaRestoreRequest,
    status: 200,
    response: MediaRestoration,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  list_media_labels: defineEndpoint({
    ...ENDPOINT_ROUTES.list_media_labels,
    tag: 'Media',
    summary: 'List the labels of media in alphabetical order',
    query: querySchema({
      limit: queryInteger(20, 1, 100),
      /** Part of the label. */
      q: z.optional(z.string().check(z.maxLength(MAX_LABEL_LENGTH))),
    }),
    status: 200,
    response: listSchema(MediaLabel),
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
  label_media: defineEndpoint({
    ...ENDPOINT_ROUTES.label_media,
    tag: 'Media',
    summary: 'Add labels to media, and remove others',
    body: MediaLabelRequest,
    status: 200,
    response: MediaLabelChange,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  archive_media: defineEndpoint({
    ...ENDPOINT_ROUTES.archive_media,
    tag: 'Media',
    summary: 'Create a link to a ZIP of media',
    body: MediaArchiveCreate,
    status: 201,
    response: MediaArchive,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
