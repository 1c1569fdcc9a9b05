import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { BillCategory, BillColumns, BillFormat } from '#contract/resources/provider-bill.ts';
import { timestampColumn } from './columns.ts';
import { apiKeys, organizationIdColumn } from './organization-schema.ts';

/** Amounts are billionths, since providers bill below a micro-dollar. */
const nanoColumn = (name: string) => bigint(name, { mode: 'bigint' }).notNull();

/**
 * Bills of providers: one for each file, and one for each provider and month that is read from it again and again. The
 * files stay as they were received. Decision: Provider bills
 */
export const providerBills = pgTable(
  'provider_bills',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    /** As in the margin: a connection, or `file:` and an engine of the operator's file. */
    provider_id: text('provider_id').notNull(),
    /** `2026-11` */
    month: text('month').notNull(),
    format: text('format').$type<BillFormat>().notNull(),
    /** Headers of what was read, offered for the next file of the provider. */
    columns: jsonb('columns').$type<BillColumns>().notNull(),
    filename: text('filename').notNull(),
    storage_key: text('storage_key').notNull(),
    size_bytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    sha256: text('sha256').notNull(),
    currency: text('currency').notNull(),
    /** Dollars for one unit of the currency, as entered; null for dollars. */
    usd_rate: text('usd_rate'),
    line_count: integer('line_count').notNull(),
    /** In the currency of the bill. */
    amount_nano: nanoColumn('amount_nano'),
    usd_nano: nanoColumn('usd_nano'),
    created_by: text('created_by')
      .notNull()
      .references(() => apiKeys.id),
    created_at: timestampColumn('created_at').notNull(),
    /** When the provider was last asked; null: a file. */
    read_at: timestampColumn('read_at'),
  },
  (table) => [
    uniqueIndex('provider_bills_file').on(table.organization_id, table.sha256),
    index('provider_bills_month').on(table.organization_id, table.month, table.provider_id),
    index('provider_bills_storage_key').on(table.storage_key),
    uniqueIndex('provider_bills_read')
      .on(table.organization_id, table.provider_id, table.month)
      .where(sql`read_at is not null`),
  ],
);

export const providerBillLines = pgTable(
  'provider_bill_lines',
  {
    organization_id: organizationIdColumn(),
    bill_id: text('bill_id')
      .notNull()
      .references(() => providerBills.id, { onDelete: 'cascade' }),
    /** Its row in the file, the header being 1; of a bill that is read, a number that the line keeps. */
    row: integer('row').notNull(),
    charged_at: timestampColumn('charged_at').notNull(),
    category: text('category').$type<BillCategory>().notNull(),
    /** Of a period that was billed before. */
    is_correction: boolean('is_correction').notNull(),
    service: text('service'),
    description: text('description'),
    request_id: text('request_id'),
    quantity_nano: bigint('quantity_nano', { mode: 'bigint' }),
    unit: text('unit'),
    amount_nano: nanoColumn('amount_nano'),
    usd_nano: nanoColumn('usd_nano'),
  },
  (table) => [
    primaryKey({ columns: [table.organization_id, table.bill_id, table.row] }),
    index('provider_bill_lines_request')
      .on(table.organization_id, table.request_id)
      .where(sql`request_id is not null`),
  ],
);
