import * as z from 'zod/mini';
import { GENERATION_STATUSES } from '../generation-status.ts';
import { id, modelId, taskId, timestamp } from '../primitives.ts';
import { creatorSchema } from './creator.ts';
import { derivativesSchema } from './media-derivatives.ts';
import { mediaSourceSchema } from './media-source.ts';

export const MEDIA_TYPES = ['image', 'video', 'audio'] as const;
export const MEDIA_ORIGINS = ['upload', 'generated'] as const;

/** `c2pa`: content credentials; `xmp` and `iptc`: metadata, such as the digital source type. Decision: Marks of origin */
const ORIGIN_MARKS = ['c2pa', 'xmp', 'iptc'] as const;
export type OriginMark = (typeof ORIGIN_MARKS)[number];

/** An asset (`ast_…`) or an upload (`upl_…`). */
export const mediaIdSchema = () => z.string().check(z.regex(/^(?:ast|upl)_[0-9a-hjkmnp-tv-z]{26}$/));

/** Generations that used a media item as input. */
export const UsedBy = z.strictObject({
  count: z.int(),
  active_count: z.int(),
  /** Newest first, at most twenty. */
  generation_ids: z.array(id('gen')),
});
export type UsedBy = z.infer<typeof UsedBy>;

const mediaFields = {
  id: mediaIdSchema(),
  object: z.literal('media'),
  origin: z.enum(MEDIA_ORIGINS),
  type: z.enum(MEDIA_TYPES),
  url: z.string(),
  /** Expiry of the link. */
  expires_at: z.nullable(timestamp()),
  /** Expiry of the file; null: kept until it is deleted. */
  kept_until: z.nullable(timestamp()),
  /** When it was moved to the trash; null: it is not there. */
  trashed_at: z.nullable(timestamp()),
  mime_type: z.string(),
  /** Of an upload, or given by a person. */
  filename: z.nullable(z.string()),
  /** Given by a person, of the source with what was done to it, or the prompt; null: none but its task. */
  name: z.optional(z.nullable(z.string())),
  size_bytes: z.int(),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  duration_seconds: z.nullable(z.number()),
  created_at: timestamp(),
  created_by: z.optional(creatorSchema()),
  /** Shared by the whole organization. */
  favourite: z.boolean(),
  /** In alphabetical order. Decision: Labels */
  labels: z.array(z.string()),
  derivatives: derivativesSchema(),
  /** null: it was not saved from a post. */
  source: z.optional(z.nullable(mediaSourceSchema())),
  /** Marks of origin of its sources that it does not have. */
  lost_marks: z.optional(z.array(z.enum(ORIGIN_MARKS))),
  generation: z.nullable(
    z.strictObject({
      id: id('gen'),
      task: taskId(),
      model: z.nullable(modelId()),
      /** Prompt or query, at most 300 characters; complete if one item is read. */
      prompt: z.nullable(z.string()),
      status: z.enum(GENERATION_STATUSES),
    }),
  ),
};

/** An upload or output that still exists. */
export const MediaItem = z.strictObject(mediaFields);
export type MediaItem = z.infer<typeof MediaItem>;

export const MediaDetail = z.strictObject({
  ...mediaFields,
  sha256: z.string(),
  created_by: creatorSchema(),
  used_by: UsedBy,
});
export type MediaDetail = z.infer<typeof MediaDetail>;

/** Longer names would be cut in file names. */
export const MAX_MEDIA_NAME_LENGTH = 80;

export const MediaRename = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(MAX_MEDIA_NAME_LENGTH)),
});

const mediaIdsSchema = (most: number) => z.array(mediaIdSchema()).check(z.minLength(1), z.maxLength(most));

/**
 * `dry_run`: reports what would be deleted without deleting it. `to_trash`: the files can be restored for 30 days; without
 * it they are deleted for good, also those in the trash.
 */
export const MediaDeletionRequest = z.strictObject({
  ids: mediaIdsSchema(500),
  dry_run: z._default(z.boolean(), false),
  to_trash: z._default(z.boolean(), false),
});
export type MediaDeletionRequest = z.infer<typeof MediaDeletionRequest>;

/** `in_use`: an unfinished generation, or an order that waits for an approval, needs it. `not_found`: unknown or already deleted. */
const DELETION_SKIP_REASONS = ['in_use', 'not_found'] as const;

export const MediaDeletion = z.strictObject({
  object: z.literal('media_deletion'),
  dry_run: z.boolean(),
  deleted: z.array(z.strictObject({ id: mediaIdSchema(), used_by_count: z.int() })),
  kept: z.array(
    z.strictObject({
      id: mediaIdSchema(),
      reason: z.enum(DELETION_SKIP_REASONS),
      message: z.string(),
      /** The generations that need it, at most twenty. */
      generation_ids: z.array(id('gen')),
    }),
  ),
  size_bytes: z.int(),
});
export type MediaDeletion = z.infer<typeof MediaDeletion>;

export const MediaRestoreRequest = z.strictObject({ ids: mediaIdsSchema(500) });

export const MediaRestoration = z.strictObject({
  object: z.literal('media_restoration'),
  restored_ids: z.array(mediaIdSchema()),
  /** Not in the trash, or no longer. */
  missing_ids: z.array(mediaIdSchema()),
});
export type MediaRestoration = z.infer<typeof MediaRestoration>;

export const MediaArchiveCreate = z.strictObject({ ids: mediaIdsSchema(2_000) });
export type MediaArchiveCreate = z.infer<typeof MediaArchiveCreate>;

/** A ZIP of media, packed while it is downloaded. */
export const MediaArchive = z.strictObject({
  object: z.literal('media_archive'),
  id: id('arc'),
  /** Works without a key, for a few downloads. */
  url: z.string(),
  expires_at: timestamp(),
  filename: z.string(),
  count: z.int(),
  size_bytes: z.int(),
  missing_ids: z.array(mediaIdSchema()),
});
export type MediaArchive = z.infer<typeof MediaArchive>;
