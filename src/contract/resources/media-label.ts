import * as z from 'zod/mini';
import { MAX_LABEL_LENGTH, MAX_LABEL_MEDIA, MAX_LABELS_PER_MEDIA } from '../label-limits.ts';
import { mediaIdSchema } from './media.ts';

const labelSchema = () => z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_LABEL_LENGTH));
const labelsSchema = () => z._default(z.array(labelSchema()).check(z.maxLength(MAX_LABELS_PER_MEDIA)), []);

/** A word that people put on media. Decision: Labels */
export const MediaLabel = z.strictObject({ object: z.literal('media_label'), label: z.string() });
export type MediaLabel = z.infer<typeof MediaLabel>;

export const MediaLabelRequest = z.strictObject({
  media_ids: z.array(mediaIdSchema()).check(z.minLength(1), z.maxLength(MAX_LABEL_MEDIA)),
  add: labelsSchema(),
  remove: labelsSchema(),
});

export const MediaLabelChange = z.strictObject({
  object: z.literal('media_label_change'),
  /** The labels that each item has now. */
  media: z.array(z.strictObject({ id: mediaIdSchema(), labels: z.array(z.string()) })),
  /** Unknown or deleted media. */
  missing_ids: z.array(mediaIdSchema()),
});
export type MediaLabelChange = z.infer<typeof MediaLabelChange>;
