import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { ClientVerdict } from '#contract/statuses.ts';
import type { ShareRequest, ShareVersion } from '#contract/resources/share.ts';
import { timestampColumn } from './columns.ts';
import { apiKeys, organizationIdColumn, organizations } from './organization-schema.ts';

/** Public pages of media items or of one collection. Decision: Share pages */
export const shares = pgTable(
  'shares',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    /** In the order of the page. Either this or `collection_id`. */
    media_ids: text('media_ids').array(),
    /** Which of `media_ids` replace others. */
    versions: jsonb('versions').$type<ShareVersion[]>().notNull().default([]),
    /** No foreign key: a share outlives its collection as ended. */
    collection_id: text('collection_id'),
    /** SHA-256 of the token in the link, hex. */
    token_sha256: text('token_sha256').notNull().unique(),
    /** Encrypted, so that the link can be copied again. */
    token_encrypted: text('token_encrypted').notNull(),
    /** Heading of the page. */
    title: text('title'),
    shows_prompts: boolean('shows_prompts').notNull(),
    allows_downloads: boolean('allows_downloads').notNull(),
    shows_organization: boolean('shows_organization').notNull(),
    /** null: the page asks for nothing. */
    asks_for: text('asks_for').$type<ShareRequest>(),
    /** Of the code that clients enter with their name; null: none. */
    code_hash: text('code_hash'),
    /** Answers so far, those that were changed or taken back included. */
    taken_answers: integer('taken_answers').notNull().default(0),
    /** null: until its media are gone or it is revoked. */
    expires_at: timestampColumn('expires_at'),
    created_by: text('created_by')
      .notNull()
      .references(() => apiKeys.id),
    created_at: timestampColumn('created_at').notNull(),
    revoked_at: timestampColumn('revoked_at'),
    view_count: integer('view_count').notNull().default(0),
    last_viewed_at: timestampColumn('last_viewed_at'),
  },
  (table) => [
    index('shares_list').on(table.organization_id, table.id),
    index('shares_open')
      .on(table.organization_id, table.id)
      .where(sql`revoked_at is null`),
    index('shares_media').using('gin', table.media_ids),
    index('shares_collection').on(table.collection_id),
  ],
);

/** What a client says about one file. It outlives its share and its file. Decision: Client answers */
export const shareAnswers = pgTable(
  'share_answers',
  {
    /** New with each change, so that the list of answers is in the order of changes. */
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    share_id: text('share_id')
      .notNull()
      .references(() => shares.id),
    media_id: text('media_id').notNull(),
    /** From the cookie of their browser. */
    client_id: text('client_id').notNull(),
    /** Unique among the clients of a share. */
    client_name: text('client_name').notNull(),
    verdict: text('verdict').$type<ClientVerdict>().notNull(),
    comment: text('comment'),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('share_answers_client').on(table.share_id, table.client_id, table.media_id),
    index('share_answers_media').on(table.media_id),
    index('share_answers_list').on(table.organization_id, table.id),
  ],
);

/** The logo on share pages, a WebP in storage. */
export const organizationLogos = pgTable('organization_logos', {
  organization_id: text('organization_id')
    .primaryKey()
    .references(() => organizations.id),
  storage_key: text('storage_key').notNull(),
  size_bytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  sha256: text('sha256').notNull(),
  created_at: timestampColumn('created_at').notNull(),
});
