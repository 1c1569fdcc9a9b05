import { sql } from 'drizzle-orm';
import { bigint, boolean, index, json, pgTable, text } from 'drizzle-orm/pg-core';
import { timestampColumn } from './columns.ts';
import { organizationIdColumn } from './schema.ts';

/** A file that arrives in pieces; its bytes are a file of the same name. Kept for a while after it became an upload. */
export const resumableUploads = pgTable(
  'resumable_uploads',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    created_by: text('created_by').notNull(),
    /** As the client gave it. `json` takes every character, NUL too. */
    metadata: json('metadata').$type<Record<string, string | null>>(),
    /** null: not told yet. */
    length_bytes: bigint('length_bytes', { mode: 'number' }),
    /** What it became. */
    upload_id: text('upload_id'),
    /** Which request works on it, until when; a lock that ran out is anybody's. */
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
