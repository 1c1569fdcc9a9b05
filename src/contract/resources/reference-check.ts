import * as z from 'zod/mini';

export const ReferenceCheckCreate = z.strictObject({ url: z.string().check(z.minLength(1), z.maxLength(8_000)) });

export const ReferenceCheck = z.strictObject({
  object: z.literal('reference_check'),
  url: z.string(),
  type: z.enum(['image', 'video', 'audio']),
  mime_type: z.string(),
  size_bytes: z.int(),
  /** Displayed width and height of an image or video from elsewhere. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  duration_seconds: z.nullable(z.number()),
});
export type ReferenceCheck = z.infer<typeof ReferenceCheck>;
