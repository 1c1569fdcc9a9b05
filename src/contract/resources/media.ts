import * as z from 'zod/mini';
import { GENERATION_STATUSES } from '../generation-status.ts';
import { id, modelId, taskId, timestamp } from '../primitives.ts';
import { derivativesSchema } from './media-derivatives.ts';

export const MEDIA_TYPES = ['image', 'video', 'audio'] as const;
export const MEDIA_ORIGINS = ['upload', 'generated'] as const;

/** Of an asset (`ast_…`) or an upload (`upl_…`). */
export const mediaIdSchema = () => z.string().check(z.regex(/^(?:ast|upl)_[0-9a-hjkmnp-tv-z]{26}$/));

/** Generations that took a medium as input. */
export const UsedBy = z.strictObject({
  count: z.int(),
  /** Of those, such as have not ended: they still need it. */
  active_count: z.int(),
  /** The newest, twenty at most. */
  generation_ids: z.array(id('gen')),
});
export type UsedBy = z.infer<typeof UsedBy>;

const mediaFields = {
  id: mediaIdSchema(),
  object: z.literal('media'),
  origin: z.enum(MEDIA_ORIGINS),
  type: z.enum(MEDIA_TYPES),
  url: z.string(),
  /** Of the link. */
  expires_at: z.nullable(timestamp()),
  /** When the file itself is removed; null: kept until somebody deletes it. */
  kept_until: z.nullable(timestamp()),
  mime_type: z.string(),
  /** As the person named it; null for what was made here. */
  filename: z.nullable(z.string()),
  size_bytes: z.int(),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  duration_seconds: z.nullable(z.number()),
  created_at: timestamp(),
  /** For all of the organization. */
  favourite: z.boolean(),
  derivatives: derivativesSchema(),
  /** What made it; null for an upload. */
  generation: z.nullable(
    z.strictObject({
      id: id('gen'),
      task: taskId(),
      model: z.nullable(modelId()),
      /** Its prompt or query, 300 characters at most; whole where one medium is read. */
      prompt: z.nullable(z.string()),
      status: z.enum(GENERATION_STATUSES),
    }),
  ),
};

/** Anything that was uploaded or made, and is still there. */
export const MediaItem = z.strictObject(mediaFields);
export type MediaItem = z.infer<typeof MediaItem>;

export const MediaDetail = z.strictObject({
  ...mediaFields,
  sha256: z.string(),
  created_by: z.strictObject({ id: id('key'), name: z.string() }),
  used_by: UsedBy,
});
export type MediaDetail = z.infer<typeof MediaDetail>;

const mediaIdsSchema = (most: number) => z.array(mediaIdSchema()).check(z.minLength(1), z.maxLength(most));

/** `dry_run`: tells what would happen, and deletes nothing. */
export const MediaDeletionRequest = z.strictObject({
  ids: mediaIdsSchema(500),
  dry_run: z._default(z.boolean(), false),
});
export type MediaDeletionRequest = z.infer<typeof MediaDeletionRequest>;

/** `in_use`: a generation that has not ended needs it. `not_found`: there is none, or no longer. */
const DELETION_SKIP_REASONS = ['in_use', 'not_found'] as const;

/** What became of each medium that was to be deleted. */
export const MediaDeletion = z.strictObject({
  object: z.literal('media_deletion'),
  dry_run: z.boolean(),
  deleted: z.array(z.strictObject({ id: mediaIdSchema(), used_by_count: z.int() })),
  kept: z.array(
    z.strictObject({
      id: mediaIdSchema(),
      reason: z.enum(DELETION_SKIP_REASONS),
      /** A sentence. */
      message: z.string(),
      /** That need it; twenty at most. */
      generation_ids: z.array(id('gen')),
    }),
  ),
  /** Of what was deleted. */
  size_bytes: z.int(),
});
export type MediaDeletion = z.infer<typeof MediaDeletion>;

export const MediaArchiveCreate = z.strictObject({ ids: mediaIdsSchema(2_000) });
export type MediaArchiveCreate = z.infer<typeof MediaArchiveCreate>;

/** A ZIP of media, packed while it is downloaded. */
export const MediaArchive = z.strictObject({
  object: z.literal('media_archive'),
  id: id('arc'),
  /** GET it without a key, a few times at most. */
  url: z.string(),
  expires_at: timestamp(),
  filename: z.string(),
  count: z.int(),
  /** Of the media in it. */
  size_bytes: z.int(),
  /** Those that were asked for and are not there. */
  missing_ids: z.array(mediaIdSchema()),
});
export type MediaArchive = z.infer<typeof MediaArchive>;
