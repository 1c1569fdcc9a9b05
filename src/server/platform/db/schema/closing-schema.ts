import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { FindingDetail, FindingKind, KindSums, SettleAction } from '#contract/resources/closing-finding.ts';
import type { BillCategory, BillColumns, BillFormat } from '#contract/resources/provider-bill.ts';
import { timestampColumn } from './columns.ts';
import { apiKeys, organizationIdColumn, organizations } from './organization-schema.ts';
import { generations } from './schema.ts';

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

/** What the difference of a month and provider is made of. Derived: replaced by each match. Decision: Closing */
export const closingFindings = pgTable(
  'closing_findings',
  {
    organization_id: organizationIdColumn(),
    month: text('month').notNull(),
    provider_id: text('provider_id').notNull(),
    /** Of month, provider and subject, so that a match again finds what was settled. */
    id: text('id').notNull(),
    /** `g:` and a generation, `r:` and a request id, or `d:` and day, category and model. */
    subject: text('subject').notNull(),
    kind: text('kind').$type<FindingKind>().notNull(),
    generation_id: text('generation_id'),
    task: text('task').$type<TaskId>(),
    model: text('model').$type<AnyModelId>(),
    request_id: text('request_id'),
    service: text('service'),
    bill_id: text('bill_id'),
    row: integer('row'),
    line_count: integer('line_count').notNull(),
    job_count: integer('job_count').notNull(),
    charged_at: timestampColumn('charged_at').notNull(),
    /** When our side is booked, else the time of the line, within the month. */
    booked_at: timestampColumn('booked_at').notNull(),
    bill_nano: bigint('bill_nano', { mode: 'bigint' }),
    cost_nano: bigint('cost_nano', { mode: 'bigint' }),
    difference_nano: nanoColumn('difference_nano'),
    /** Of the difference; the largest come first. */
    size_nano: nanoColumn('size_nano'),
    /** What remains to be booked. */
    due_nano: nanoColumn('due_nano'),
    is_correction: boolean('is_correction').notNull(),
    /** Accepted while something is due. */
    actions: text('actions').array().$type<SettleAction[]>().notNull(),
    detail: jsonb('detail').$type<FindingDetail>().notNull(),
    /** Lower case, of everything that a search finds. */
    search: text('search').notNull(),
  },
  ({ organization_id, month, provider_id, id, kind, size_nano }) => [
    primaryKey({ columns: [organization_id, month, provider_id, id] }),
    uniqueIndex('closing_findings_id').on(organization_id, id),
    index('closing_findings_size').on(organization_id, month, size_nano, id),
    index('closing_findings_kind').on(organization_id, month, provider_id, kind, size_nano, id),
  ],
);

/** When a month and provider were matched, with what, and the sums of the findings. */
export const closingMatches = pgTable(
  'closing_matches',
  {
    organization_id: organizationIdColumn(),
    month: text('month').notNull(),
    provider_id: text('provider_id').notNull(),
    matched_at: timestampColumn('matched_at').notNull(),
    /** Of both sides then. Another one asks for a match. */
    cost_nano: nanoColumn('cost_nano'),
    unknown_cost_count: integer('unknown_cost_count').notNull(),
    bill_nano: nanoColumn('bill_nano'),
    corrected_nano: nanoColumn('corrected_nano'),
    /** Another month or provider has changed what this one is compared with. */
    is_stale: boolean('is_stale').notNull(),
    sums: jsonb('sums').$type<KindSums[]>().notNull(),
  },
  ({ organization_id, month, provider_id }) => [primaryKey({ columns: [organization_id, month, provider_id] })],
);

/** One row per organization, written only by the trigger that appends entries (`append_closing_entry`). */
export const closingHeads = pgTable('closing_heads', {
  organization_id: text('organization_id')
    .primaryKey()
    .references(() => organizations.id),
  last_seq: bigint('last_seq', { mode: 'bigint' }).notNull(),
  last_hash: text('last_hash').notNull(),
  last_entry_at: timestampColumn('last_entry_at').notNull(),
});

type ClosingEntryType = 'settlement' | 'close' | 'reopen';

/** Append-only and hash-chained, enforced by triggers. Decision: Closing */
export const closingEntries = pgTable(
  'closing_entries',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    /** 1, 2, 3 … without gaps in an organization. Assigned by the trigger. */
    seq: bigint('seq', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    type: text('type').$type<ClosingEntryType>().notNull(),
    month: text('month').notNull(),
    /** Of a settlement. */
    provider_id: text('provider_id'),
    /** JSON, of which the hash covers every character. */
    body: text('body').notNull(),
    created_by: text('created_by')
      .notNull()
      .references(() => apiKeys.id),
    created_at: timestampColumn('created_at').notNull(),
    hash: text('hash').notNull().default(''),
  },
  (table) => [
    uniqueIndex('closing_entries_seq').on(table.organization_id, table.seq),
    index('closing_entries_month').on(table.organization_id, table.month, table.seq),
  ],
);

/** Corrections of costs. Append-only; the entry that they belong to has their SHA-256. */
export const closingCorrections = pgTable(
  'closing_corrections',
  {
    organization_id: organizationIdColumn(),
    entry_id: text('entry_id').notNull(),
    finding_id: text('finding_id').notNull(),
    month: text('month').notNull(),
    provider_id: text('provider_id').notNull(),
    subject: text('subject').notNull(),
    kind: text('kind').$type<FindingKind>().notNull(),
    /** null: outside of orders, or of several. */
    generation_id: text('generation_id').references(() => generations.id),
    /** In the month, so that reports by day have it where the cost is. */
    booked_at: timestampColumn('booked_at').notNull(),
    amount_nano: nanoColumn('amount_nano'),
    /** Of a month that was closed before. */
    is_correction: boolean('is_correction').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organization_id, table.entry_id, table.finding_id] }),
    index('closing_corrections_subject').on(table.organization_id, table.month, table.provider_id, table.subject),
    index('closing_corrections_time').on(table.organization_id, table.booked_at),
    index('closing_corrections_generation')
      .on(table.generation_id)
      .where(sql`generation_id is not null`),
  ],
);
