import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { BudgetInterval, BudgetScope } from '#contract/money/budget-scope.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { Pricing } from '#contract/resources/catalog.ts';
import type { LedgerType } from '#contract/money/ledger.ts';
import { timestampColumn, microUsdColumn, tsvector } from './columns.ts';
import { apiKeys, organizationIdColumn, organizations } from './organization-schema.ts';
import { generations } from './schema.ts';

export const GENESIS_HASH = '0'.repeat(64);
/** Set by the trigger that appends entries; a value in an insert is ignored. */
const triggerAssignedInteger = (name: string) =>
  microUsdColumn(name)
    .notNull()
    .default(sql`0`);

/** One row per organization. Only the trigger that appends entries writes it (`append_ledger_entry`), under a lock of the row. */
export const accounts = pgTable('accounts', {
  organization_id: text('organization_id')
    .primaryKey()
    .references(() => organizations.id),
  available_micro_usd: microUsdColumn('available_micro_usd').notNull(),
  reserved_micro_usd: microUsdColumn('reserved_micro_usd').notNull(),
  spent_micro_usd: microUsdColumn('spent_micro_usd').notNull(),
  last_seq: bigint('last_seq', { mode: 'bigint' }).notNull(),
  /** Hash of the newest entry; 64 zeros for an empty ledger. */
  last_hash: text('last_hash').notNull().default(GENESIS_HASH),
  last_entry_at: timestampColumn('last_entry_at'),
});

/** Append-only, enforced by triggers; see docs/ledger.md. Decision: Ledger */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    /** 1, 2, 3 … without gaps in an organization. */
    seq: triggerAssignedInteger('seq'),
    type: text('type').$type<LedgerType>().notNull(),
    amount_micro_usd: microUsdColumn('amount_micro_usd').notNull(),
    available_after_micro_usd: triggerAssignedInteger('available_after_micro_usd'),
    balance_after_micro_usd: triggerAssignedInteger('balance_after_micro_usd'),
    generation_id: text('generation_id').references(() => generations.id),
    /** Copied from the generation, so that sums need no join. */
    task: text('task').$type<TaskId>(),
    model: text('model').$type<AnyModelId>(),
    workflow_run_id: text('workflow_run_id'),
    description: text('description').notNull(),
    /** The key that created the generation. */
    key_id: text('key_id'),
    created_by: text('created_by').references(() => apiKeys.id),
    /** Never before that of the previous entry. */
    created_at: timestampColumn('created_at').notNull(),
    hash: text('hash').notNull().default(''),
  },
  (table) => {
    const { organization_id, type, task, key_id, seq, workflow_run_id } = table;
    const model = sql`coalesce(${table.model}, '')`;
    return [
      uniqueIndex('ledger_entries_seq').on(organization_id, seq),
      index('ledger_entries_time').on(organization_id, table.created_at, seq),
      index('ledger_entries_type').on(organization_id, type, seq),
      index('ledger_entries_model').on(organization_id, task, model, type, seq),
      index('ledger_entries_of_model')
        .on(organization_id, table.model, seq)
        .where(sql`model is not null`),
      index('ledger_entries_key').on(organization_id, key_id, task, model, type, seq),
      index('ledger_entries_generation').on(table.generation_id),
      index('ledger_entries_amount').on(organization_id, table.amount_micro_usd, seq),
      index('ledger_entries_run')
        .on(workflow_run_id, seq)
        .where(sql`workflow_run_id is not null`),
      // One RESERVE, RELEASE and SETTLE per generation at most.
      uniqueIndex('ledger_entries_once')
        .on(table.generation_id, type)
        .where(sql`type in ('RESERVE', 'RELEASE', 'SETTLE')`),
    ];
  },
);

/** Id of the monthly budget of the whole organization; monthly budgets of keys have the id of their key. */
export const ORGANIZATION_BUDGET = 'organization';

/** Limits per day, week or month, UTC. The trigger that appends entries updates spending and reservations. */
export const budgets = pgTable(
  'budgets',
  {
    organization_id: organizationIdColumn(),
    /** `organization`, the id of a key, or `bud_…` for all other scopes and intervals. */
    id: text('id').notNull(),
    /** Which work counts: `organization`, `person:per_…`, `key:key_…`, `model:…` or `tag:name=value`. */
    scope: text('scope').$type<BudgetScope>().notNull(),
    interval: text('interval').$type<BudgetInterval>().notNull(),
    limit_micro_usd: microUsdColumn('limit_micro_usd').notNull(),
    /** Granted in addition to the limit, until the interval of `interval_start` ends. */
    extra_micro_usd: microUsdColumn('extra_micro_usd')
      .notNull()
      .default(sql`0`),
    warn_at_percent: integer('warn_at_percent').notNull(),
    contact: text('contact'),
    /** First day of the interval of `spent_micro_usd`. */
    interval_start: date('interval_start', { mode: 'string' }).notNull(),
    /** SETTLE less REFUND in that interval. */
    spent_micro_usd: microUsdColumn('spent_micro_usd').notNull(),
    /** Currently reserved, from any interval. */
    reserved_micro_usd: microUsdColumn('reserved_micro_usd').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
    /** Who set it last; null: on the command line. */
    updated_by: text('updated_by').references(() => apiKeys.id),
  },
  (table) => [
    primaryKey({ columns: [table.organization_id, table.id] }),
    uniqueIndex('budgets_scope').on(table.organization_id, table.scope, table.interval),
  ],
);

/**
 * Sums of entries by day, UTC. The trigger maintains these sums, so that no request sums a year of entries. Each entry
 * counts twice: with its tags, and without, so that sums by other columns read few rows.
 */
export const ledgerDays = pgTable(
  'ledger_days',
  {
    organization_id: organizationIdColumn(),
    by_tags: boolean('by_tags').notNull(),
    type: text('type').$type<LedgerType>().notNull(),
    date: date('date', { mode: 'string' }).notNull(),
    /** Empty, like the task: entries without a generation. */
    key_id: text('key_id').notNull(),
    task: text('task').$type<TaskId | ''>().notNull(),
    /** Empty: a task without models. */
    model: text('model').notNull(),
    /** Of the generations; `{}` without `by_tags`. */
    tags: jsonb('tags').$type<Record<string, string>>().notNull(),
    amount_micro_usd: microUsdColumn('amount_micro_usd').notNull(),
    count: integer('count').notNull(),
  },
  (table) => {
    const { organization_id, by_tags, type, key_id, task, model, tags } = table;
    const columns = [organization_id, by_tags, type, table.date, key_id, task, model, tags] as const;
    return [primaryKey({ name: 'ledger_days_pk', columns: [...columns] })];
  },
);

/** Entries by value of a tag. A trigger adds the tags of an entry's generation with the entry. */
export const ledgerTags = pgTable(
  'ledger_tags',
  {
    organization_id: organizationIdColumn(),
    name: text('name').notNull(),
    value: text('value').notNull(),
    type: text('type').$type<LedgerType>().notNull(),
    seq: microUsdColumn('seq').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.name, table.value, table.type, table.seq] })],
);

/** Search terms of what people wrote: descriptions of credits and adjustments, reasons of refunds. */
export const ledgerSearchTexts = pgTable(
  'ledger_words',
  {
    organization_id: organizationIdColumn(),
    seq: bigint('seq', { mode: 'bigint' }).notNull(),
    /** Of a refund. */
    generation_id: text('generation_id'),
    words: tsvector('words').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organization_id, table.seq] }),
    index('ledger_words_generation')
      .on(table.generation_id)
      .where(sql`generation_id is not null`),
    index('ledger_words_words').using('gin', table.words),
  ],
);

/** Tags that administrators defined. Decision: Tags */
export const tags = pgTable(
  'tags',
  {
    organization_id: organizationIdColumn(),
    name: text('name').notNull(),
    label: text('label').notNull(),
    required: boolean('required').notNull(),
    /** Allowed values; null: free text. */
    values: text('values').array(),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
    updated_by: text('updated_by')
      .notNull()
      .references(() => apiKeys.id),
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.name] })],
);

export const priceBooks = pgTable('price_books', {
  since: timestampColumn('since').primaryKey(),
  prices: jsonb('prices').$type<Pricing['data']>().notNull(),
});
