import * as z from 'zod/mini';
import { INVALID, endpoint } from '../endpoint.ts';
import { listOf, pathId, queryCursor, queryDateTime, queryInteger, queryOf } from '../primitives.ts';
import { ListedUpload, Upload, UploadDetail } from '../resources/upload.ts';

const uploadId = z.object({ upload_id: pathId() });

export const uploadEndpoints = {
  create_upload: endpoint({
    method: 'POST',
    path: '/v1/uploads',
    auth: 'upload',
    tag: 'Uploads',
    summary: 'Upload a picture, a video or a sound',
    body: 'multipart',
    status: 201,
    response: Upload,
    errors: {
      400: ['invalid_media_upload'],
      408: ['media_upload_timeout'],
      413: ['media_upload_too_large'],
      503: ['media_storage_unavailable', 'service_unavailable'],
    },
  }),
  list_uploads: endpoint({
    method: 'GET',
    path: '/v1/uploads',
    auth: 'bearer',
    tag: 'Uploads',
    summary: 'List uploads, newest first',
    query: queryOf({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      type: z.optional(z.enum(['image', 'video', 'audio'])),
      created_after: queryDateTime(),
      created_before: queryDateTime(),
      /** Text to find in the file name. */
      q: z.optional(z.string().check(z.maxLength(500))),
    }),
    status: 200,
    response: listOf(ListedUpload),
    errors: { 400: INVALID, 422: INVALID },
    addition: true,
  }),
  get_upload: endpoint({
    method: 'GET',
    path: '/v1/uploads/{upload_id}',
    auth: 'bearer',
    tag: 'Uploads',
    summary: 'Read an upload, and how often it was used',
    params: uploadId,
    status: 200,
    response: UploadDetail,
    errors: { 404: ['not_found'], 422: INVALID },
    addition: true,
  }),
  delete_upload: endpoint({
    method: 'DELETE',
    path: '/v1/uploads/{upload_id}',
    auth: 'bearer',
    tag: 'Uploads',
    summary: 'Remove an upload',
    params: uploadId,
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID },
    addition: true,
  }),
} as const;
