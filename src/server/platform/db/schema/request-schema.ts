import { sql } from 'drizzle-orm';
import { boolean, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { ApprovalRequest, OrderRequest, RequestKind, RequestStatus } from '#contract/resources/request.ts';
import { batches } from './batch-schema.ts';
import { microUsdColumn, timestampColumn } from './columns.ts';
import { apiKeys, organizationIdColumn } from './organization-schema.ts';
import { generations } from './schema.ts';
import { workflowRuns } from './workflow-schema.ts';

/** `request` is as it was sent; the rest is for lists. */
export type StoredOrder = NonNullable<ApprovalRequest['order']> & { request: OrderRequest };

/** What people ask administrators for: more of a budget, or an order above the limit. Decision: Approvals */
export const requests = pgTable(
  'requests',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    kind: text('kind').$type<RequestKind>().notNull(),
    status: text('status').$type<RequestStatus>().notNull(),
    note: text('note').notNull(),
    created_by: text('created_by')
      .notNull()
      .references(() => apiKeys.id),
    created_at: timestampColumn('created_at').notNull(),
    decided_by: text('decided_by').references(() => apiKeys.id),
    decided_at: timestampColumn('decided_at'),
    reason: text('reason'),
    /** The increase of the budget, or the price of the order. */
    amount_micro_usd: microUsdColumn('amount_micro_usd').notNull(),
    budget_id: text('budget_id'),
    /** Raise the limit, instead of once for the current interval. */
    permanent: boolean('permanent').notNull().default(false),
    order: jsonb('order').$type<StoredOrder>(),
    /** Own media of the order; retention keeps them while it waits. */
    media_ids: text('media_ids').array().notNull().default([]),
    /** What an approved order became. */
    generation_id: text('generation_id').references(() => generations.id),
    workflow_run_id: text('workflow_run_id').references(() => workflowRuns.id),
    batch_id: text('batch_id').references(() => batches.id),
  },
  (table) => [
    index('requests_list').on(table.organization_id, table.id),
    index('requests_own').on(table.organization_id, table.created_by, table.id),
    index('requests_pending')
      .on(table.organization_id, table.id)
      .where(sql`status = 'pending'`),
  ],
);
