import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { MediaKind } from '#contract/task.ts';
import { timestampColumn, tsvector } from './columns.ts';
import { organizationIdColumn } from './organization-schema.ts';
import { assets, generations, uploads } from './schema.ts';

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
    /** The files are packed without their content credentials. */
    is_bare: boolean('is_bare').notNull().default(false),
    starts: integer('starts').notNull().default(0),
    created_at: timestampColumn('created_at').notNull(),
    expires_at: timestampColumn('expires_at').notNull(),
  },
  (table) => [index('media_archives_expiry').on(table.expires_at)],
);

/**
 * Words by which a generation is found: of its prompt, metadata, task, model, person and batch, and of its outputs. A
 * separate table, because generations are updated often and their words seldom. Decision: Search
 */
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

/** Words of an output: those of its generation with its own name and labels only. */
export const assetSearchTexts = pgTable(
  'asset_words',
  {
    asset_id: text('asset_id')
      .primaryKey()
      .references(() => assets.id),
    words: tsvector('words').notNull(),
  },
  (table) => [index('asset_words_words').using('gin', table.words)],
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

/** Each kind has a table of its own, so that the planner knows how many rows of this kind have a word. */
const SEARCH_TEXTS = {
  generation: { table: generationSearchTexts, id: generationSearchTexts.generation_id },
  asset: { table: assetSearchTexts, id: assetSearchTexts.asset_id },
  upload: { table: uploadSearchTexts, id: uploadSearchTexts.upload_id },
};
export type SearchedKind = keyof typeof SEARCH_TEXTS;

export const searchTextsOf = (kind: SearchedKind): (typeof SEARCH_TEXTS)[SearchedKind] => SEARCH_TEXTS[kind];

/** Matches rows with the words. @param words see `toSearchQuery`; null matches nothing */
export const hasWords = (kind: SearchedKind, id: AnyColumn, words: string | null): SQL => {
  const { table, id: textId } = SEARCH_TEXTS[kind];
  return words === null
    ? sql`false`
    : sql`exists (select from ${table} where ${textId} = ${id} and ${table.words} @@ ${words}::tsquery)`;
};
