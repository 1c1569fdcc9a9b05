import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { pathId } from '../primitives.ts';
import { mediaIdSchema } from './media.ts';
import { MEDIA_KINDS } from '../task.ts';

const ReferenceCheckCreate = z.strictObject({ url: z.string().check(z.minLength(1), z.maxLength(8_000)) });

export const ReferenceCheck = z.strictObject({
  object: z.literal('reference_check'),
  url: z.string(),
  type: z.enum(MEDIA_KINDS),
  mime_type: z.string(),
  size_bytes: z.int(),
  /** Displayed width and height of an image or video from elsewhere. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  duration_seconds: z.nullable(z.number()),
});
export type ReferenceCheck = z.infer<typeof ReferenceCheck>;

/** `post_id` is the id of a result of a search. */
const SavedPostCreate = z.strictObject({ post_id: z.string().check(z.minLength(1), z.maxLength(500)) });

/** Decision: Saved posts */
export const SavedPost = z.strictObject({
  object: z.literal('saved_post'),
  /** The pictures of the post in the library, the cover first. */
  media_ids: z.array(mediaIdSchema()),
  /** Further pictures that could not be read. */
  missing_count: z.int(),
});
export type SavedPost = z.infer<typeof SavedPost>;

export const referenceEndpoints = defineEndpoints('Media', {
  check_reference: {
    summary: 'Check a reference URL before it is used',
    body: ReferenceCheckCreate,
    status: 200,
    response: ReferenceCheck,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST, 503: ['service_unavailable'] },
  },
  save_post: {
    summary: 'Save the pictures of a found post to the library',
    params: z.object({ generation_id: pathId() }),
    body: SavedPostCreate,
    status: 201,
    response: SavedPost,
    errors: {
      400: INVALID_REQUEST,
      404: ['generation_not_found', 'not_found'],
      422: INVALID_REQUEST,
      503: ['media_storage_unavailable', 'service_unavailable'],
    },
  },
});
