import { sql } from 'drizzle-orm';
import { boolean, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { timestampColumn } from './columns.ts';
import { apiKeys, organizationIdColumn } from './organization-schema.ts';

/** Saved forms. Decision: Presets */
export const presets = pgTable(
  'presets',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    name: text('name').notNull(),
    task: text('task').$type<TaskId>().notNull(),
    model: text('model').$type<AnyModelId>(),
    /** Links to media of the service have no signature. */
    input: jsonb('input').$type<Record<string, unknown>>().notNull(),
    /** The beginning of its prompt or query, for lists. */
    prompt: text('prompt'),
    shared: boolean('shared').notNull(),
    created_by: text('created_by')
      .notNull()
      .references(() => apiKeys.id),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    index('presets_own').on(table.created_by, table.id),
    index('presets_shared')
      .on(table.organization_id, table.id)
      .where(sql`shared`),
  ],
);
