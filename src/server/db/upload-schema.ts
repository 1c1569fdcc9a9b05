import { sql } from 'drizzle-orm';
import { bigint, boolean, index, json, pgTable, text } from 'drizzle-orm/pg-core';
import { timestampColumn } from './columns.ts';
import { organizationIdColumn } from './organization-schema.ts';

/** A resumable upload; its bytes are a file of the same name. The row outlives completion for a while. */
export const resumableUploads = pgTable(
  'resumable_uploads',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    created_by: text('created_by').notNull(),
    /** As sent by the client. `json` accepts every character, including NUL. */
    metadata: json('metadata').$type<Record<string, string | null>>(),
    /** null: not declared yet. */
    length_bytes: bigint('length_bytes', { mode: 'number' }),
    upload_id: text('upload_id'),
    /** The request that holds the lock, until it expires. */
    lock_owner: text('lock_owner'),
    lock_expires_at: timestampColumn('lock_expires_at'),
    /** Another request waits for the lock. */
    lock_wanted: boolean('lock_wanted').notNull().default(false),
    created_at: timestampColumn('created_at').notNull(),
    expires_at: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    index('resumable_uploads_expiry').on(table.expires_at),
    index('resumable_uploads_open')
      .on(table.created_by)
      .where(sql`upload_id is null`),
  ],
);
