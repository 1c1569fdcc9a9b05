import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { PricedLineItem } from '#contract/estimate.ts';
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
