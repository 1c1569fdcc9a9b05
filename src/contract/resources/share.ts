import * as z from 'zod/mini';
import { optionalLine } from '../one-line.ts';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { MAX_SHARE_DAYS, MAX_SHARE_MEDIA, MAX_SHARE_TITLE_LENGTH, SHARE_CODE_LENGTH } from '../limits.ts';
import {
  creatorSchema,
  id,
  listSchema,
  pathId,
  queryCursor,
  queryInteger,
  querySchema,
  timestamp,
} from '../primitives.ts';
import { clientAnswerFields, derivativesSchema, mediaIdSchema } from './media.ts';
import { MEDIA_KINDS } from '../task.ts';

/** `gone`: what it shows was deleted or is in the trash. `off`: the organization has switched sharing off. */
const SHARE_STATUSES = ['active', 'expired', 'revoked', 'gone', 'off'] as const;

/** What a page can ask its visitors for; each answer may have a comment. Decision: Client answers */
const SHARE_REQUESTS = ['picks', 'approval', 'comments'] as const;
export type ShareRequest = (typeof SHARE_REQUESTS)[number];

/** A new version of a file. The page shows both; clients answer the newest. Decision: Client answers */
const ShareVersion = z.strictObject({ media_id: mediaIdSchema(), replaces: mediaIdSchema() });
export type ShareVersion = z.infer<typeof ShareVersion>;

/** A public page of media items or one collection. Decision: Share pages */
export const Share = z.strictObject({
  object: z.literal('share'),
  id: id('shr'),
  status: z.enum(SHARE_STATUSES),
  /** The link with its secret; null for callers who may not have it, and where `SECRET_KEY` was changed. */
  url: z.nullable(z.string()),
  /** The only media item; null for a selection or a collection. */
  media_id: z.nullable(mediaIdSchema()),
  /** null for a collection. */
  media_ids: z.nullable(z.array(mediaIdSchema())),
  collection_id: z.nullable(id('col')),
  versions: z.array(ShareVersion),
  /** Name of the collection or of the first file, or its prompt; null if it is gone. The page does not show it. */
  name: z.nullable(z.string()),
  cover: z.nullable(
    z.strictObject({
      id: mediaIdSchema(),
      type: z.enum(MEDIA_KINDS),
      url: z.string(),
      width: z.nullable(z.int()),
      height: z.nullable(z.int()),
      derivatives: derivativesSchema(),
    }),
  ),
  /** Heading of the page. */
  title: z.nullable(z.string()),
  show_prompts: z.boolean(),
  /** false: the page has only small previews. */
  allow_downloads: z.boolean(),
  /** Name and logo. */
  show_organization: z.boolean(),
  /** What visitors are asked for; null: nothing. */
  asks_for: z.nullable(z.enum(SHARE_REQUESTS)),
  has_code: z.boolean(),
  /** Answers that clients have not taken back. */
  answer_count: z.int(),
  /** Files without those that a newer version replaces, and how many of them have an answer. */
  file_count: z.int(),
  answered_count: z.int(),
  expires_at: z.nullable(timestamp()),
  created_at: timestamp(),
  created_by: creatorSchema(),
  revoked_at: z.nullable(timestamp()),
  view_count: z.int(),
  last_viewed_at: z.nullable(timestamp()),
});
export type Share = z.infer<typeof Share>;

const titleSchema = () => z.nullable(optionalLine(MAX_SHARE_TITLE_LENGTH));
const expiresInDaysSchema = () => z.nullable(z.int().check(z.gte(1), z.lte(MAX_SHARE_DAYS)));

/** What clients enter with their name to answer; null: nothing. Viewing takes no code. */
const codeSchema = () =>
  z.nullable(z.string().check(z.trim(), z.minLength(SHARE_CODE_LENGTH.min), z.maxLength(SHARE_CODE_LENGTH.max)));

/** Missing fields are not changed. */
const ShareUpdate = z.strictObject({
  title: z.optional(titleSchema()),
  /** Counted from now; null: until it is revoked. */
  expires_in_days: z.optional(expiresInDaysSchema()),
  show_prompts: z.optional(z.boolean()),
  allow_downloads: z.optional(z.boolean()),
  show_organization: z.optional(z.boolean()),
  /** null closes the request; the answers so far stay. */
  asks_for: z.optional(z.nullable(z.enum(SHARE_REQUESTS))),
  /** A new code signs out who has entered the one before. */
  code: z.optional(codeSchema()),
  /** Only for a page of files. */
  add_version: z.optional(ShareVersion),
});

const ShareCreate = z
  .strictObject({
    media_id: z.optional(mediaIdSchema()),
    media_ids: z.optional(z.array(mediaIdSchema()).check(z.minLength(1), z.maxLength(MAX_SHARE_MEDIA))),
    collection_id: z.optional(id('col')),
    title: z._default(titleSchema(), null),
    /** null: until it is revoked. */
    expires_in_days: z._default(expiresInDaysSchema(), 30),
    show_prompts: z._default(z.boolean(), false),
    allow_downloads: z._default(z.boolean(), false),
    show_organization: z._default(z.boolean(), false),
    asks_for: z._default(z.nullable(z.enum(SHARE_REQUESTS)), null),
    code: z._default(codeSchema(), null),
  })
  .check(
    z.refine((body) => [body.media_id, body.media_ids, body.collection_id].filter(Boolean).length === 1, {
      error: 'Name either a media_id, media_ids or a collection_id.',
      path: ['media_id'],
    }),
  );

/** What a client answered, with the name of the file; null if that is gone. */
export const ShareAnswer = z.strictObject({ ...clientAnswerFields, media_name: z.nullable(z.string()) });
export type ShareAnswer = z.infer<typeof ShareAnswer>;

export const shareEndpoints = defineEndpoints('Shares', {
  list_shares: {
    summary: 'List one’s own share pages, newest first; everybody’s for administrators and auditors',
    query: querySchema({
      limit: queryInteger(50, 1, 100),
      cursor: queryCursor(),
      /** `open`: neither revoked nor expired. `ended`: the others. */
      state: z.optional(z.enum(['open', 'ended'])),
      /** Only pages of this media item. */
      media_id: z.optional(pathId()),
      /** Only pages of this collection. */
      collection_id: z.optional(pathId()),
    }),
    status: 200,
    response: listSchema(Share),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  create_share: {
    summary: 'Create a public page of media items or a collection, which can ask its visitors for answers',
    body: ShareCreate,
    status: 201,
    response: Share,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
  },
  list_share_answers: {
    summary: 'List what clients answered on one’s own share pages, the latest first',
    query: querySchema({
      limit: queryInteger(50, 1, 100),
      cursor: queryCursor(),
      /** Only answers on this page; administrators and auditors may name any. */
      share_id: z.optional(pathId()),
    }),
    status: 200,
    response: listSchema(ShareAnswer),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  update_share: {
    summary: 'Change what an open share page shows, and when it ends',
    params: z.object({ share_id: pathId() }),
    body: ShareUpdate,
    status: 200,
    response: Share,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
  },
  revoke_share: {
    summary: 'End a share page at once',
    params: z.object({ share_id: pathId() }),
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
});
