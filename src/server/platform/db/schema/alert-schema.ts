import { sql } from 'drizzle-orm';
import { bigint, boolean, date, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { AlertKind } from '#contract/alert-kinds.ts';
import type { Verification } from '#contract/resources/audit.ts';
import { timestampColumn } from './columns.ts';
import { apiKeys, organizationIdColumn } from './organization-schema.ts';

/** One row for each cause and period, so that each is raised and sent once. Decision: Alerts */
export const alerts = pgTable(
  'alerts',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    kind: text('kind').$type<AlertKind>().notNull(),
    /** A budget, provider connection, added model, webhook endpoint or share page; empty: the organization. */
    subject_id: text('subject_id').notNull(),
    subject_name: text('subject_name').notNull(),
    period: text('period').notNull(),
    message: text('message').notNull(),
    raised_at: timestampColumn('raised_at').notNull(),
    acknowledged_at: timestampColumn('acknowledged_at'),
    acknowledged_by: text('acknowledged_by').references(() => apiKeys.id),
    resolved_at: timestampColumn('resolved_at'),
  },
  (table) => [
    uniqueIndex('alerts_once').on(table.organization_id, table.kind, table.subject_id, table.period),
    index('alerts_list').on(table.organization_id, table.id),
    index('alerts_kind').on(table.organization_id, table.kind, table.id),
    index('alerts_unresolved')
      .on(table.organization_id, table.id)
      .where(sql`resolved_at is null`),
  ],
);

/** Results of the daily verifications. */
export const ledgerVerifications = pgTable(
  'ledger_verifications',
  {
    organization_id: organizationIdColumn(),
    /** UTC. */
    date: date('date', { mode: 'string' }).notNull(),
    ok: boolean('ok').notNull(),
    /** The newest entry; null: the ledger is empty or wrong. The next verification must find it again. */
    head_seq: bigint('head_seq', { mode: 'bigint' }),
    head_hash: text('head_hash'),
    result: jsonb('result').$type<Verification>().notNull(),
    completed_at: timestampColumn('completed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.date] })],
);
