import { bigint, boolean, customType, doublePrecision, integer, text, timestamp } from 'drizzle-orm/pg-core';
import type { MediaKind } from '#contract/task.ts';

/** With milliseconds, as in the API. */
export const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const microUsdColumn = (name: string) => bigint(name, { mode: 'bigint' });

/** Search terms in the database's format: see core/search-words.ts. */
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** A media file in storage: its actual properties, not the declared ones. */
export const mediaColumns = () => ({
  type: text('type').$type<MediaKind>().notNull(),
  mime_type: text('mime_type').notNull(),
  storage_key: text('storage_key').notNull(),
  size_bytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  sha256: text('sha256').notNull(),
  width: integer('width'),
  height: integer('height'),
  duration_seconds: doublePrecision('duration_seconds'),
});

export const libraryColumns = () => ({
  favourite: boolean('favourite').notNull().default(false),
  /** Unfinished generations may still read the file. */
  removed_at: timestampColumn('removed_at'),
  /** Set while a removed file can be restored. Decision: Trash */
  trashed_at: timestampColumn('trashed_at'),
});
