import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { timestampColumn } from './columns.ts';
import { apiKeys, organizationIdColumn } from './organization-schema.ts';

/** Public pages of one media item or one collection. Decision: Share pages */
export const shares = pgTable(
  'shares',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    /** Either this or `collection_id`. */
    media_id: text('media_id'),
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
    index('shares_media').on(table.media_id),
    index('shares_collection').on(table.collection_id),
  ],
);
