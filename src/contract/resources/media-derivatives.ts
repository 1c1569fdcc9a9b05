import * as z from 'zod/mini';

/** Small copies of a medium, made in the background. Their links are signed, and last as long as the medium's own. */
export const Derivatives = z.strictObject({
  /** Of a picture, or of a video's poster frame, the smallest first, never larger than the original: WebP. */
  thumbnails: z.array(z.strictObject({ url: z.string(), width: z.int(), height: z.int() })),
  /** Of a video: its first seconds, small and without sound. */
  preview_url: z.nullable(z.string()),
  /** Of a sound: JSON of the shape `Waveform`. */
  waveform_url: z.nullable(z.string()),
});
export type Derivatives = z.infer<typeof Derivatives>;

/** How loud a sound is over its length, in equal steps. */
export const Waveform = z.strictObject({
  object: z.literal('waveform'),
  duration_seconds: z.number(),
  /** 0 to 1. */
  peaks: z.array(z.number().check(z.gte(0), z.lte(1))),
});
export type Waveform = z.infer<typeof Waveform>;

/** null: not made, or not yet. Show the medium itself instead. */
export const derivativesSchema = () => z.optional(z.nullable(Derivatives));
