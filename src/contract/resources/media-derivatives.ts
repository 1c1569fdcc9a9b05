import * as z from 'zod/mini';

/** Thumbnails, preview and waveform, created in the background. Their links expire with the link of the original. */
export const Derivatives = z.strictObject({
  /** WebP, of an image or a video's poster frame, smallest first, never larger than the original. */
  thumbnails: z.array(z.strictObject({ url: z.string(), width: z.int(), height: z.int() })),
  /** Of a video: its first seconds, small and silent. */
  preview_url: z.nullable(z.string()),
  /** Of audio: JSON of the shape `Waveform`. */
  waveform_url: z.nullable(z.string()),
});
export type Derivatives = z.infer<typeof Derivatives>;

/** Loudness of a sound over its length, in equal steps. */
export const Waveform = z.strictObject({
  object: z.literal('waveform'),
  duration_seconds: z.number(),
  /** 0 to 1. */
  peaks: z.array(z.number().check(z.gte(0), z.lte(1))),
});
export type Waveform = z.infer<typeof Waveform>;

/** null: not created (yet). Show the original instead. */
export const derivativesSchema = () => z.optional(z.nullable(Derivatives));
