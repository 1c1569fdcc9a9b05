import * as z from 'zod/mini';
import { INVALID, endpoint } from '../endpoint.ts';
import { listOf, modelId, pathId, queryCursor, queryDateTime, queryInteger, queryOf, taskId } from '../primitives.ts';
import { MediaLineage } from '../resources/media-lineage.ts';
import {
  MEDIA_ORIGINS,
  MEDIA_TYPES,
  MediaArchive,
  MediaArchiveCreate,
  MediaDelete,
  MediaDeletion,
  MediaDetail,
  MediaItem,
} from '../resources/media.ts';

const media = z.object({ media_id: pathId() });
const UNKNOWN = { 404: ['not_found'], 422: INVALID } as const;

/** The library: everything that was uploaded or made. */
export const mediaEndpoints = {
  list_media: endpoint({
    method: 'GET',
    path: '/v1/media',
    auth: 'bearer',
    tag: 'Media',
    summary: 'List everything uploaded and made, newest first',
    query: queryOf({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      type: z.optional(z.enum(MEDIA_TYPES)),
      origin: z.optional(z.enum(MEDIA_ORIGINS)),
      task: z.optional(taskId()),
      model: z.optional(modelId()),
      created_after: queryDateTime(),
      created_before: queryDateTime(),
      favourite: z.optional(z.enum(['true', 'false'])),
      /** Text to find in prompts, queries and file names. */
      q: z.optional(z.string().check(z.maxLength(500))),
    }),
    status: 200,
    response: listOf(MediaItem),
    errors: { 400: INVALID, 422: INVALID },
    addition: true,
  }),
  get_media: endpoint({
    method: 'GET',
    path: '/v1/media/{media_id}',
    auth: 'bearer',
    tag: 'Media',
    summary: 'Read a medium, and how often it was used',
    params: media,
    status: 200,
    response: MediaDetail,
    errors: UNKNOWN,
    addition: true,
  }),
  get_media_lineage: endpoint({
    method: 'GET',
    path: '/v1/media/{media_id}/lineage',
    auth: 'bearer',
    tag: 'Media',
    summary: 'Read what a medium was made from, what was made of it, and what all of it cost',
    params: media,
    query: queryOf({
      /** Generations in a row, each way. */
      depth: queryInteger(10, 1, 50),
      /** Nodes in all. */
      limit: queryInteger(200, 10, 500),
    }),
    status: 200,
    response: MediaLineage,
    errors: UNKNOWN,
    addition: true,
  }),
  add_favourite: endpoint({
    method: 'PUT',
    path: '/v1/media/{media_id}/favourite',
    auth: 'bearer',
    tag: 'Media',
    summary: 'Make a medium a favourite',
    params: media,
    status: 200,
    response: MediaItem,
    errors: UNKNOWN,
    addition: true,
  }),
  remove_favourite: endpoint({
    method: 'DELETE',
    path: '/v1/media/{media_id}/favourite',
    auth: 'bearer',
    tag: 'Media',
    summary: 'Make a medium no favourite any more',
    params: media,
    status: 200,
    response: MediaItem,
    errors: UNKNOWN,
    addition: true,
  }),
  delete_media: endpoint({
    method: 'POST',
    path: '/v1/media/delete',
    auth: 'bearer',
    tag: 'Media',
    summary: 'Delete media; what a running generation needs is kept',
    body: MediaDelete,
    status: 200,
    response: MediaDeletion,
    errors: { 400: INVALID, 422: INVALID },
    addition: true,
  }),
  archive_media: endpoint({
    method: 'POST',
    path: '/v1/media/archive',
    auth: 'bearer',
    tag: 'Media',
    summary: 'Get a link to a ZIP of media',
    body: MediaArchiveCreate,
    status: 201,
    response: MediaArchive,
    errors: { 400: INVALID, 404: ['not_found'], 422: INVALID },
    addition: true,
  }),
} as const;
