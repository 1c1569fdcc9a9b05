import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId, queryCursor, queryDateTime, queryInteger, querySchema } from '../primitives.ts';
import { ListedUpload, Upload, UploadDetail } from '../resources/upload.ts';

const uploadParams = z.object({ upload_id: pathId() });

export const uploadEndpoints = {
  create_upload: defineEndpoint({
    ...ENDPOINT_ROUTES.create_upload,
    tag: 'Uploads',
    summary: 'Upload an image, a video or audio',
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
  list_uploads: defineEndpoint({
    ...ENDPOINT_ROUTES.list_uploads,
    tag: 'Uploads',
    summary: 'List uploads, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      /** Work of this person and their keys only. An addition. */
      person_id: z.optional(pathId()),
      type: z.optional(z.enum(['image', 'video', 'audio'])),
      created_after: queryDateTime(),
      created_before: queryDateTime(),
      q: z.optional(z.string().check(z.maxLength(500))),
    }),
    status: 200,
    response: listSchema(ListedUpload),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  get_upload: defineEndpoint({
    ...ENDPOINT_ROUTES.get_upload,
    tag: 'Uploads',
    summary: 'Read an upload with its usage',
    params: uploadParams,
    status: 200,
    response: UploadDetail,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
  delete_upload: defineEndpoint({
    ...ENDPOINT_ROUTES.delete_upload,
    tag: 'Uploads',
    summary: 'Delete an upload',
    params: uploadParams,
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 409: ['media_in_use'], 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
