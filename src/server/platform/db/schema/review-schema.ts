import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { PricedLineItem } from '#contract/money/estimate.ts';
import type { ReviewDecision } from '#contract/resources/review.ts';
import { microUsdColumn, timestampColumn } from './columns.ts';
import { apiKeys } from './organization-schema.ts';
import { generations } from './schema.ts';

/** Why a generation needs review, and the decision. */
export const reviews = pgTable('reviews', {
  generation_id: text('generation_id')
    .primaryKey()
    .references(() => generations.id),
  reason: text('reason').notNull(),
  held_data: jsonb('held_data').$type<Record<string, unknown>>(),
  charge_micro_usd: microUsdColumn('charge_micro_usd').notNull(),
  charge_line_items: jsonb('charge_line_items').$type<PricedLineItem[]>().notNull(),
  opened_at: timestampColumn('opened_at').notNull(),
  decision: text('decision').$type<ReviewDecision>(),
  note: text('note'),
  /** null: decided on the command line. */
  decided_by: text('decided_by').references(() => apiKeys.id),
  decided_at: timestampColumn('decided_at'),
});

/** Files of results that could not be read as media, kept as they were received. Decision: Manual review */
export const receivedFiles = pgTable(
  'received_files',
  {
    id: text('id').primaryKey(),
    organization_id: text('organization_id').notNull(),
    generation_id: text('generation_id')
      .notNull()
      .references(() => generations.id),
    position: integer('position').notNull(),
    filename: text('filename').notNull(),
    /** Why it is no media here, for people. */
    reason: text('reason').notNull(),
    storage_key: text('storage_key').notNull(),
    size_bytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    sha256: text('sha256').notNull(),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [
    index('received_files_generation').on(table.generation_id, table.position),
    index('received_files_storage_key').on(table.storage_key),
    index('received_files_age').on(table.created_at),
  ],
);
