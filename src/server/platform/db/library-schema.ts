import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { MediaKind } from '#contract/task.ts';
import { timestampColumn, tsvector } from './columns.ts';
import { organizationIdColumn } from './organization-schema.ts';
import { generations, uploads } from './schema.ts';

/**
 * Which generation uses which media item of its organization, and in which input field. Written with the generation.
 */
export const mediaUses = pgTable(
  'media_uses',
  {
    generation_id: text('generation_id')
      .notNull()
      .references(() => generations.id),
    /** Dotted: `first_frame`, `reference_images.0`. */
    field: text('field').notNull(),
    organization_id: organizationIdColumn(),
    /** `ast_…` or `upl_…`; may have been deleted. */
    media_id: text('media_id').notNull(),
    media_type: text('media_type').$type<MediaKind>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.generation_id, table.field] }),
    index('media_uses_medium').on(table.organization_id, table.media_id, table.generation_id),
  ],
);

export const mediaArchives = pgTable(
  'media_archives',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    filename: text('filename').notNull(),
    media_ids: jsonb('media_ids').$type<string[]>().notNull(),
    starts: integer('starts').notNull().default(0),
    created_at: timestampColumn('created_at').notNull(),
    expires_at: timestampColumn('expires_at').notNull(),
  },
  (table) => [index('media_archives_expiry').on(table.expires_at)],
);

/**
 * Words with the start of the id before them, which is of its time, so that a search reads one period after the other
 * instead of all matches.
 */
export const wordsByTime = ({ words, generation_id }: Record<'words' | 'generation_id', AnyColumn>): SQL =>
  sql`(replace(' ' || ${words}::text, ' ''', ' ''' || substr(${generation_id}, 5, 4))::tsvector)`;

/**
 * Terms of a generation's prompt or query, and of its metadata. A separate table, because generations are updated often and their terms
 * never.
 */
export const generationSearchTexts = pgTable(
  'generation_words',
  {
    generation_id: text('generation_id')
      .primaryKey()
      .references(() => generations.id),
    words: tsvector('words').notNull(),
  },
  (table) => [index('generation_words_by_time').using('gin', wordsByTime(table))],
);

export const uploadSearchTexts = pgTable(
  'upload_words',
  {
    upload_id: text('upload_id')
      .primaryKey()
      .references(() => uploads.id, { onDelete: 'cascade' }),
    words: tsvector('words').notNull(),
  },
  (table) => [index('upload_words_words').using('gin', table.words)],
);
