import * as z from 'zod/mini';
import { mediaIdSchema } from './media.ts';

/** `post_id` is the id of a result of a search. */
export const SavedPostCreate = z.strictObject({ post_id: z.string().check(z.minLength(1), z.maxLength(500)) });

/** Decision: Saved posts */
export const SavedPost = z.strictObject({
  object: z.literal('saved_post'),
  /** The pictures of the post in the library, the cover first. */
  media_ids: z.array(mediaIdSchema()),
  /** Further pictures that could not be read. */
  missing_count: z.int(),
});
export type SavedPost = z.infer<typeof SavedPost>;
