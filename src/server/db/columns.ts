import { bigint, boolean, doublePrecision, integer, text, timestamp } from 'drizzle-orm/pg-core';
import type { MediaKind } from '#contract/task.ts';

/** A moment, to the millisecond, as on the wire. */
export const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** Money in micro-dollars. */
export const microUsdColumn = (name: string) => bigint(name, { mode: 'bigint' });

/** A media file in storage: what it was found to be, not what it was said to be. */
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

/** What people did with a medium. */
export const libraryColumns = () => ({
  favourite: boolean('favourite').notNull().default(false),
  /** Since when it is gone for everybody; a generation that has not ended may still read it. */
  removed_at: timestampColumn('removed_at'),
});
