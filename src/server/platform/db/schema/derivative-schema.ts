import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { timestampColumn, mediaColumns } from './columns.ts';

/** Numbers are widths in pixels. */
export type DerivativeVariant = 'thumbnail-320' | 'thumbnail-960' | 'preview' | 'waveform';

/** State of a stored file's derivatives. The row exists as soon as a media item uses the file. */
export const derivativeJobs = pgTable(
  'media_derivations',
  {
    source_key: text('source_key').primaryKey(),
    state: text('state').$type<'waiting' | 'made' | 'failed'>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When a worker may claim the job; while it is claimed, when the lease expires. */
    due_at: timestampColumn('due_at').notNull(),
    problem: text('problem'),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
  },
  ({ created_at }) => [
    index('media_derivations_waiting')
      .on(created_at)
      .where(sql`state = 'waiting'`),
  ],
);

export const mediaDerivatives = pgTable(
  'media_derivatives',
  {
    source_key: text('source_key')
      .notNull()
      .references(() => derivativeJobs.source_key, { onDelete: 'cascade' }),
    variant: text('variant').$type<DerivativeVariant>().notNull(),
    ...mediaColumns(),
    created_at: timestampColumn('created_at').notNull(),
  },
  ({ source_key, variant, storage_key }) => [
    primaryKey({ columns: [source_key, variant] }),
    index('media_derivatives_storage_key').on(storage_key),
  ],
);
