import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { MAX_LABEL_LENGTH, MAX_MEDIA_NAME_LENGTH } from '../limits.ts';
import {
  creatorSchema,
  id,
  listSchema,
  modelId,
  pathId,
  queryCursor,
  queryDateTime,
  queryInteger,
  querySchema,
  tagFilter,
  taskId,
  timestamp,
} from '../primitives.ts';
import { GENERATION_STATUSES, CLIENT_VERDICTS, MEDIA_ORIGINS } from '../statuses.ts';
import { MEDIA_KINDS } from '../task.ts';

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

/** The post that a picture was saved from. Decision: Saved posts */
const mediaSourceSchema = () =>
  z.strictObject({
    /** null: it has no HTTPS address. */
    url: z.nullable(z.string()),
    author: z.nullable(z.string()),
    /** At most 300 characters. */
    caption: z.nullable(z.string()),
  });
export type MediaSource = z.infer<ReturnType<typeof mediaSourceSchema>>;

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

/** `commented`: a comment without a decision. Decision: Client answers */

export const clientAnswerFields = {
  id: id('ans'),
  object: z.literal('share_answer'),
  share_id: id('shr'),
  media_id: mediaIdSchema(),
  client_name: z.string(),
  verdict: z.enum(CLIENT_VERDICTS),
  comment: z.nullable(z.string()),
  created_at: timestamp(),
};
export const ClientAnswer = z.strictObject(clientAnswerFields);
export type ClientAnswer = z.infer<typeof ClientAnswer>;

const mediaFields = {
  id: mediaIdSchema(),
  object: z.literal('media'),
  origin: z.enum(MEDIA_ORIGINS),
  type: z.enum(MEDIA_KINDS),
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
  /** What clients answered on share pages, the latest first, at most twenty. */
  client_answers: z.optional(z.array(ClientAnswer)),
  /** null: it was not saved from a post. */
  source: z.optional(z.nullable(mediaSourceSchema())),
  /** Marks of origin of its sources that it does not have. */
  lost_marks: z.optional(z.array(z.enum(ORIGIN_MARKS))),
  /** Generations that used it as input; in lists with `origin=upload`. */
  used_by_count: z.optional(z.int()),
  generation: z.nullable(
    z.strictObject({
      id: id('gen'),
      task: taskId(),
      model: z.nullable(modelId()),
      /** Prompt or query, at most 300 characters; complete if one item is read. */
      prompt: z.nullable(z.string()),
      status: z.enum(GENERATION_STATUSES),
      /** The run whose step it is. */
      workflow_run_id: z.optional(z.nullable(id('run'))),
      /** Values of the organization's tags, as charged. */
      tags: z.optional(z.record(z.string(), z.string())),
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

const MediaRename = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(MAX_MEDIA_NAME_LENGTH)),
});

const mediaIdsSchema = (most: number) => z.array(mediaIdSchema()).check(z.minLength(1), z.maxLength(most));

/**
 * `dry_run`: reports what would be deleted without deleting it. `to_trash`: the files can be restored for 30 days; without
 * it they are deleted for good, also those in the trash.
 */
const MediaDeletionRequest = z.strictObject({
  ids: mediaIdsSchema(500),
  dry_run: z._default(z.boolean(), false),
  to_trash: z._default(z.boolean(), false),
});

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

const MediaRestoreRequest = z.strictObject({ ids: mediaIdsSchema(500) });

export const MediaRestoration = z.strictObject({
  object: z.literal('media_restoration'),
  restored_ids: z.array(mediaIdSchema()),
  /** Not in the trash, or no longer. */
  missing_ids: z.array(mediaIdSchema()),
});
export type MediaRestoration = z.infer<typeof MediaRestoration>;

const MediaArchiveCreate = z.strictObject({ ids: mediaIdsSchema(2_000) });

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

export const mediaParams = z.object({ media_id: pathId() });
export const UNKNOWN_MEDIA = { 404: ['not_found'], 422: INVALID_REQUEST } as const;

export const mediaEndpoints = defineEndpoints('Media', {
  list_media: {
    summary: 'List uploads and outputs, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      /** Work of this person and their keys only. An addition. */
      person_id: z.optional(pathId()),
      type: z.optional(z.enum(MEDIA_KINDS)),
      origin: z.optional(z.enum(MEDIA_ORIGINS)),
      task: z.optional(taskId()),
      model: z.optional(modelId()),
      created_after: queryDateTime(),
      created_before: queryDateTime(),
      favourite: z.optional(z.enum(['true', 'false'])),
      /** `true`: the trash instead of the library. */
      in_trash: z.optional(z.enum(['true', 'false'])),
      /** Of the generations that made them; an upload has none. */
      tags: tagFilter(),
      /** Only media with this label. */
      label: z.optional(z.string().check(z.maxLength(MAX_LABEL_LENGTH))),
      /** Only media with such an answer of a client; `commented`: with a comment, whatever they decided. */
      client_answer: z.optional(z.enum(['any', ...CLIENT_VERDICTS])),
      /** Only media with such an answer on this share page; without `client_answer`: with any. */
      share_id: z.optional(pathId()),
      /** Only media of this collection, those added last first. */
      collection_id: z.optional(pathId()),
      q: z.optional(z.string().check(z.maxLength(500))),
    }),
    status: 200,
    response: listSchema(MediaItem),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  get_media: {
    summary: 'Read a media item with its usage',
    params: mediaParams,
    status: 200,
    response: MediaDetail,
    errors: UNKNOWN_MEDIA,
  },
  rename_media: {
    summary: 'Rename a media item',
    params: mediaParams,
    body: MediaRename,
    status: 200,
    response: MediaItem,
    errors: { 400: INVALID_REQUEST, ...UNKNOWN_MEDIA },
  },
  add_favourite: {
    summary: 'Add a media item to favorites',
    params: mediaParams,
    status: 200,
    response: MediaItem,
    errors: UNKNOWN_MEDIA,
  },
  remove_favourite: {
    summary: 'Remove a media item from favorites',
    params: mediaParams,
    status: 200,
    response: MediaItem,
    errors: UNKNOWN_MEDIA,
  },
  delete_media: {
    summary: 'Delete media, except files that an unfinished generation needs',
    body: MediaDeletionRequest,
    status: 200,
    response: MediaDeletion,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  restore_media: {
    summary: 'Restore media from the trash',
    body: MediaRestoreRequest,
    status: 200,
    response: MediaRestoration,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  archive_media: {
    summary: 'Create a link to a ZIP of media',
    body: MediaArchiveCreate,
    status: 201,
    response: MediaArchive,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
  },
  archive_bare_media: {
    summary: 'Create a link to a ZIP of media without their content credentials',
    body: MediaArchiveCreate,
    status: 201,
    response: MediaArchive,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
  },
});
