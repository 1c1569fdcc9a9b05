import { pgTable, text } from 'drizzle-orm/pg-core';
import type { CatalogId } from '#contract/resources/catalog.ts';
import { timestampColumn } from './columns.ts';
import { apiKeys } from './organization-schema.ts';

/** Names that administrators gave to models and tasks. */
export const catalogLabels = pgTable('catalog_labels', {
  id: text('id').$type<CatalogId>().primaryKey(),
  name: text('name').notNull(),
  description: text('description'),
  updated_by: text('updated_by')
    .notNull()
    .references(() => apiKeys.id),
  updated_at: timestampColumn('updated_at').notNull(),
});
