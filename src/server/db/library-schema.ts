import { customType, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { MediaKind } from '#contract/task.ts';
import { timestampColumn } from './columns.ts';
import { generations, organizationIdColumn, uploads } from './schema.ts';

/** Which generation took which medium of its organization, and where in its input. Written with the generation. */
export const mediaUses = pgTable(
  'media_uses',
  {
    generation_id: text('generation_id')
      .notNull()
      .references(() => generations.id),
    /** Dotted: `first_frame`, `reference_images.0`. */
    field: text('field').notNull(),
    organization_id: organizationIdColumn(),
    /** `ast_…` or `upl_…`, perhaps removed since. */
    media_id: text('media_id').notNull(),
    media_type: text('media_type').$type<MediaKind>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.generation_id, table.field] }),
    index('media_uses_medium').on(table.organization_id, table.media_id, table.generation_id),
  ],
);

/** A download of several media, for as long as its link lasts. */
export const mediaArchives = pgTable(
  'media_archives',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    filename: text('filename').notNull(),
    /** In the order in which they are packed. */
    media_ids: jsonb('media_ids').$type<string[]>().notNull(),
    /** How often its download was begun. */
    starts: integer('starts').notNull().default(0),
    created_at: timestampColumn('created_at').notNull(),
    expires_at: timestampColumn('expires_at').notNull(),
  },
  (table) => [index('media_archives_expiry').on(table.expires_at)],
);

/** Words that may be searched for, in the notation of the database: see library/search-text.ts. */
const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** Of a generation's prompt or query. Rows of their own, since a generation is written often and its words once. */
export const generationSearchTexts = pgTable(
  'generation_words',
  {
    generation_id: text('generation_id')
      .primaryKey()
      .references(() => generations.id),
    words: tsvector('words').notNull(),
  },
  (table) => [index('generation_words_words').using('gin', table.words)],
);

/** Of an upload's file name. */
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
