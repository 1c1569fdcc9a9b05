import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import {
  creatorSchema,
  id,
  listSchema,
  pathId,
  queryCursor,
  queryDateTime,
  queryInteger,
  querySchema,
  timestamp,
} from '../primitives.ts';
import { derivativesSchema, UsedBy } from './media.ts';
import { MEDIA_KINDS } from '../task.ts';

/** POST here creates a resumable upload (tus 1.0.0); see docs/uploads.md. */
export const RESUMABLE_UPLOADS_PATH = '/v1/uploads/resumable';

const uploadFields = {
  id: id('upl'),
  object: z.literal('upload'),
  type: z.enum(MEDIA_KINDS),
  url: z.string().check(z.minLength(1)),
  mime_type: z.string(),
  filename: z.nullable(z.string()),
  size_bytes: z.int(),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  duration_seconds: z.nullable(z.number()),
  sha256: z.string(),
  created_at: timestamp(),
  /** Expiry of the link. */
  expires_at: z.nullable(timestamp()),
  /** Expiry of the file; null: kept until it is deleted. */
  kept_until: z.optional(z.nullable(timestamp())),
  derivatives: derivativesSchema(),
};

/** `MediaUploadResponse`. Decision: Uploads. The optional fields are an addition. */
export const Upload = z.strictObject(uploadFields);
export type Upload = z.infer<typeof Upload>;

/** Additions of reads and lists. */
const readFields = { created_by: z.optional(creatorSchema()) };

/** `used_by_count` is an addition: the number of generations that used it as input. */
export const ListedUpload = z.strictObject({ ...uploadFields, ...readFields, used_by_count: z.optional(z.int()) });
export type ListedUpload = z.infer<typeof ListedUpload>;

export const UploadDetail = z.strictObject({ ...uploadFields, ...readFields, used_by: UsedBy });
export type UploadDetail = z.infer<typeof UploadDetail>;

const uploadParams = z.object({ upload_id: pathId() });

export const uploadEndpoints = defineEndpoints('Uploads', {
  create_upload: {
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
  },
  list_uploads: {
    summary: 'List uploads, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      /** Work of this person and their keys only. An addition. */
      person_id: z.optional(pathId()),
      type: z.optional(z.enum(MEDIA_KINDS)),
      created_after: queryDateTime(),
      created_before: queryDateTime(),
      q: z.optional(z.string().check(z.maxLength(500))),
    }),
    status: 200,
    response: listSchema(ListedUpload),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  get_upload: {
    summary: 'Read an upload with its usage',
    params: uploadParams,
    status: 200,
    response: UploadDetail,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  delete_upload: {
    summary: 'Delete an upload',
    params: uploadParams,
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 409: ['media_in_use'], 422: INVALID_REQUEST },
  },
});
