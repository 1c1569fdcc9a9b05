import * as z from 'zod/mini';
import { id, timestamp } from '../primitives.ts';
import { derivativesSchema } from './media-derivatives.ts';
import { UsedBy } from './media.ts';

/** Resumable uploads by the tus protocol (1.0.0) are created here with POST; see docs/uploads.md. */
export const RESUMABLE_UPLOADS_PATH = '/v1/uploads/resumable';
/** Header of the answers to HEAD and to the last PATCH of a resumable upload: the id of the upload it became. */
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
  /** Of the link. */
  expires_at: z.nullable(timestamp()),
  /** When the file itself is removed; null: kept until somebody deletes it. */
  kept_until: z.optional(z.nullable(timestamp())),
  derivatives: derivativesSchema(),
};

/** `MediaUploadResponse`. Decision: Uploads. The optional fields are an addition. */
export const Upload = z.strictObject(uploadFields);
export type Upload = z.infer<typeof Upload>;

/** As a list has it: with how many generations took it as input. That is an addition, and another service may lack it. */
export const ListedUpload = z.strictObject({ ...uploadFields, used_by_count: z.optional(z.int()) });
export type ListedUpload = z.infer<typeof ListedUpload>;

/** An upload, with what a person should know before it is deleted. */
export const UploadDetail = z.strictObject({ ...uploadFields, used_by: UsedBy });
export type UploadDetail = z.infer<typeof UploadDetail>;
