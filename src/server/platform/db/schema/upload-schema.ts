import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { timestampColumn } from './columns.ts';
import { organizationIdColumn } from './organization-schema.ts';

/** A resumable upload; its bytes are parts in the object store, or else a file of the same name. The row outlives completion for a while. */
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

/** The received bytes of an unfinished upload, where media are in an object store. */
export const resumableParts = pgTable(
  'resumable_parts',
  {
    resumable_id: text('resumable_id')
      .notNull()
      .references(() => resumableUploads.id, { onDelete: 'cascade' }),
    offset_bytes: bigint('offset_bytes', { mode: 'number' }).notNull(),
    size_bytes: integer('size_bytes').notNull(),
    storage_key: text('storage_key').notNull().unique(),
  },
  (table) => [primaryKey({ columns: [table.resumable_id, table.offset_bytes] })],
);
