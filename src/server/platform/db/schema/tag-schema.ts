import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { timestampColumn } from './columns.ts';
import { organizationIdColumn } from './organization-schema.ts';

/** Generations by value of a tag, so that a filter of their list reads nothing else. */
export const generationTags = pgTable(
  'generation_tags',
  {
    organization_id: organizationIdColumn(),
    name: text('name').notNull(),
    value: text('value').notNull(),
    generation_id: text('generation_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.name, table.value, table.generation_id] })],
);

/** The values of a tag that a key used, for suggestions. Written under the lock of the key. */
export const tagValues = pgTable(
  'tag_values',
  {
    organization_id: organizationIdColumn(),
    name: text('name').notNull(),
    created_by: text('created_by').notNull(),
    value: text('value').notNull(),
    /** To the hour. */
    last_used_at: timestampColumn('last_used_at').notNull(),
  },
  (table) => {
    const { organization_id, name, created_by, value, last_used_at } = table;
    return [
      primaryKey({ columns: [organization_id, name, created_by, value] }),
      index('tag_values_recent').on(organization_id, name, last_used_at),
      index('tag_values_spelling').on(organization_id, name, sql`lower(value)`),
    ];
  },
);
