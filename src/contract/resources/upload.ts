import * as z from 'zod/mini';
import { id, timestamp } from '../primitives.ts';

/** `MediaUploadResponse`. Decision: Responses (Upload) */
export const Upload = z.strictObject({
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
  expires_at: z.nullable(timestamp()),
});
export type Upload = z.infer<typeof Upload>;
