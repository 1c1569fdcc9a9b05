import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { MediaKind } from '#contract/task.ts';
import { at } from './columns.ts';
import { generations, organization_id } from './schema.ts';

/** Which generation took which medium of its organization, and where in its input. Written with the generation. */
export const mediaUses = pgTable(
  'media_uses',
  {
    generation_id: text('generation_id')
      .notNull()
      .references(() => generations.id),
    /** Dotted: `first_frame`, `reference_images.0`. */
    field: text('field').notNull(),
    organization_id: organization_id(),
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
    organization_id: organization_id(),
    filename: text('filename').notNull(),
    /** In the order in which they are packed. */
    media_ids: jsonb('media_ids').$type<string[]>().notNull(),
    /** How often its download was begun. */
    starts: integer('starts').notNull().default(0),
    created_at: at('created_at').notNull(),
    expires_at: at('expires_at').notNull(),
  },
  (table) => [index('media_archives_expiry').on(table.expires_at)],
);
