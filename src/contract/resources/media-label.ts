import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { MAX_LABEL_LENGTH, MAX_LABEL_MEDIA, MAX_LABELS_PER_MEDIA } from '../limits.ts';
import { listSchema, queryInteger, querySchema } from '../primitives.ts';
import { mediaIdSchema } from './media.ts';

const labelSchema = () => z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_LABEL_LENGTH));
const labelsSchema = () => z._default(z.array(labelSchema()).check(z.maxLength(MAX_LABELS_PER_MEDIA)), []);

/** A word that people put on media. Decision: Labels */
export const MediaLabel = z.strictObject({ object: z.literal('media_label'), label: z.string() });
export type MediaLabel = z.infer<typeof MediaLabel>;

const MediaLabelRequest = z.strictObject({
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

export const mediaLabelEndpoints = defineEndpoints('Media', {
  list_media_labels: {
    summary: 'List the labels of media in alphabetical order',
    query: querySchema({
      limit: queryInteger(20, 1, 100),
      /** Part of the label. */
      q: z.optional(z.string().check(z.maxLength(MAX_LABEL_LENGTH))),
    }),
    status: 200,
    response: listSchema(MediaLabel),
    errors: { 422: INVALID_REQUEST },
  },
  label_media: {
    summary: 'Add labels to media, and remove others',
    body: MediaLabelRequest,
    status: 200,
    response: MediaLabelChange,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
});
