import * as z from 'zod/mini';
import { id, timestamp } from '../primitives.ts';
import { creatorSchema } from './creator.ts';
import { derivativesSchema } from './media-derivatives.ts';
import { UsedBy } from './media.ts';

/** POST here creates a resumable upload (tus 1.0.0); see docs/uploads.md. */
export const RESUMABLE_UPLOADS_PATH = '/v1/uploads/resumable';
/** Response header on HEAD and on the last PATCH of a resumable upload: id of the resulting upload. */
export const UPLOAD_ID_HEADER = 'upload-id';

const uploadFields = {
  id: id('upl'),
  object: z.literal('upload'),
  type: z.enum(['image', 'video', 'audio']),
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
