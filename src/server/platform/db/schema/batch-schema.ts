import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { BatchMode, BatchStatus, PauseReason } from '#contract/statuses.ts';
import type { BatchOrderCreate, OrderError } from '#contract/resources/batch.ts';
import { microUsdColumn, timestampColumn } from './columns.ts';
import { apiKeys, organizationIdColumn } from './organization-schema.ts';
import { generations } from './schema.ts';

/** Several orders under one id. Decision: Batches */
export const batches = pgTable(
  'batches',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    name: text('name'),
    mode: text('mode').$type<BatchMode>().notNull(),
    status: text('status').$type<BatchStatus>().notNull(),
    pause_reason: text('pause_reason').$type<PauseReason>(),
    pause_message: text('pause_message'),
    stop_at_micro_usd: microUsdColumn('stop_at_micro_usd'),
    /** What an administrator approved for it; null: it needed no approval. */
    approved_micro_usd: microUsdColumn('approved_micro_usd'),
    estimated_micro_usd: microUsdColumn('estimated_micro_usd').notNull(),
    metadata: jsonb('metadata').$type<Record<string, string>>(),
    created_by: text('created_by')
      .notNull()
      .references(() => apiKeys.id),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
    completed_at: timestampColumn('completed_at'),
  },
  (table) => [
    index('batches_list').on(table.organization_id, table.id),
    index('batches_maker').on(table.created_by, table.id),
    index('batches_running')
      .on(table.updated_at)
      .where(sql`status = 'running'`),
  ],
);

/** `placed`: it has a generation, which has the status. `waiting` with a generation: that one is retried. */
const ORDER_STATES = ['waiting', 'placed', 'failed', 'canceled'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

export const batchOrders = pgTable(
  'batch_orders',
  {
    batch_id: text('batch_id')
      .notNull()
      .references(() => batches.id),
    index: integer('index').notNull(),
    /** With the metadata of the batch. */
    order: jsonb('order').$type<BatchOrderCreate>().notNull(),
    /** Excerpt of its `input` for lists; null if it is short. */
    input_excerpt: jsonb('input_excerpt').$type<Record<string, unknown>>(),
    state: text('state').$type<OrderState>().notNull(),
    estimated_micro_usd: microUsdColumn('estimated_micro_usd'),
    /** Set in the transaction that creates the generation, so that only one is created. A retry replaces it. */
    generation_id: text('generation_id').references(() => generations.id),
    error: jsonb('error').$type<OrderError>(),
  },
  (table) => [
    primaryKey({ columns: [table.batch_id, table.index] }),
    uniqueIndex('batch_orders_generation').on(table.generation_id),
    index('batch_orders_waiting')
      .on(table.batch_id, table.index)
      .where(sql`state = 'waiting'`),
  ],
);
