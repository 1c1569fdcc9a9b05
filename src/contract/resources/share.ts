import * as z from 'zod/mini';
import { defineAdditions, INVALID_REQUEST } from '../endpoint.ts';
import { MAX_SHARE_DAYS, MAX_SHARE_TITLE_LENGTH } from '../limits.ts';
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
import { derivativesSchema, MEDIA_TYPES, mediaIdSchema } from './media.ts';

/** `gone`: what it shows was deleted or is in the trash. `off`: the organization has switched sharing off. */
const SHARE_STATUSES = ['active', 'expired', 'revoked', 'gone', 'off'] as const;

/** A public page of one media item or one collection. Decision: Share pages */
export const Share = z.strictObject({
  object: z.literal('share'),
  id: id('shr'),
  status: z.enum(SHARE_STATUSES),
  /** The link with its secret; null for callers who may not have it, and where `SECRET_KEY` was changed. */
  url: z.nullable(z.string()),
  /** Either this or `collection_id`. */
  media_id: z.nullable(mediaIdSchema()),
  collection_id: z.nullable(id('col')),
  /** Name of the collection or file, or the prompt; null if it is gone. The page does not show it. */
  name: z.nullable(z.string()),
  cover: z.nullable(
    z.strictObject({
      id: mediaIdSchema(),
      type: z.enum(MEDIA_TYPES),
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
  show_organization: z.boolean(),
  expires_at: z.nullable(timestamp()),
  created_at: timestamp(),
  created_by: creatorSchema(),
  revoked_at: z.nullable(timestamp()),
  view_count: z.int(),
  last_viewed_at: z.nullable(timestamp()),
});
export type Share = z.infer<typeof Share>;

const titleSchema = () => z.nullable(z.string().check(z.trim(), z.maxLength(MAX_SHARE_TITLE_LENGTH)));
const expiresInDaysSchema = () => z.nullable(z.int().check(z.gte(1), z.lte(MAX_SHARE_DAYS)));

/** Missing fields are not changed. */
const ShareUpdate = z.strictObject({
  title: z.optional(titleSchema()),
  /** Counted from now; null: until it is revoked. */
  expires_in_days: z.optional(expiresInDaysSchema()),
  show_prompts: z.optional(z.boolean()),
  allow_downloads: z.optional(z.boolean()),
  show_organization: z.optional(z.boolean()),
});

const ShareCreate = z
  .strictObject({
    media_id: z.optional(mediaIdSchema()),
    collection_id: z.optional(id('col')),
    title: z._default(titleSchema(), null),
    /** null: until it is revoked. */
    expires_in_days: z._default(expiresInDaysSchema(), 30),
    show_prompts: z._default(z.boolean(), false),
    allow_downloads: z._default(z.boolean(), false),
    show_organization: z._default(z.boolean(), false),
  })
  .check(
    z.refine(({ media_id, collection_id }) => (media_id === undefined) !== (collection_id === undefined), {
      error: 'Name either a media_id or a collection_id.',
      path: ['media_id'],
    }),
  );

export const shareEndpoints = defineAdditions('Shares', {
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
    summary: 'Create a public page of a media item or a collection',
    body: ShareCreate,
    status: 201,
    response: Share,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
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
