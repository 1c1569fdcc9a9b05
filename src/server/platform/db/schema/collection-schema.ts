import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { timestampColumn } from './columns.ts';
import { apiKeys, organizationIdColumn } from './organization-schema.ts';

/** Named groups of media. Decision: Collections */
export const collections = pgTable(
  'collections',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    /** null: the newest. */
    cover_media_id: text('cover_media_id'),
    created_by: text('created_by')
      .notNull()
      .references(() => apiKeys.id),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
  },
  (table) => [index('collections_list').on(table.organization_id, table.id)],
);

/** Media in the trash keep their rows; media that are deleted for good lose them. */
export const collectionItems = pgTable(
  'collection_items',
  {
    collection_id: text('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    /** `ast_…` or `upl_…` */
    media_id: text('media_id').notNull(),
    /** Order of adding. */
    position: bigint('position', { mode: 'bigint' }).generatedAlwaysAsIdentity(),
    added_by: text('added_by').notNull(),
    added_at: timestampColumn('added_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.collection_id, table.media_id] }),
    index('collection_items_order').on(table.collection_id, table.position),
    index('collection_items_media').on(table.media_id),
  ],
);

/** Words that people put on media. Decision: Labels */
export const mediaLabels = pgTable(
  'media_labels',
  {
    organization_id: organizationIdColumn(),
    /** Equal for all spellings of a label: see `labelKey`. */
    label: text('label').notNull(),
    /** As it was typed first. */
    text: text('text').notNull(),
    media_id: text('media_id').notNull(),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organization_id, table.label, table.media_id] }),
    index('media_labels_media').on(table.media_id),
  ],
);
