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
import type { BudgetInterval, BudgetScope } from '#contract/budget-scope.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { Pricing } from '#contract/resources/catalog.ts';
import type { LedgerType } from '#contract/ledger.ts';
import { timestampColumn, microUsdColumn, tsvector } from './columns.ts';
import { apiKeys, organizationIdColumn, organizations } from './organization-schema.ts';
import { generations } from './schema.ts';

export const GENESIS_HASH = '0'.repeat(64);
/** Set by the trigger that appends entries; a value in an insert is ignored. */
const triggerAssignedInteger = (name: string) =>
  microUsdColumn(name)
    .notNull()
    .default(sql`0`);

/** One row per organization. Only the trigger that appends entries writes it (ledger.sql), under a lock of the row. */
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

/** Append-only, enforced by ledger.sql; see docs/ledger.md. Decision: Ledger */
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
    model: text('model').$type<ModelId>(),
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

/** SETTLE less REFUND by day, UTC. The trigger maintains these sums, so that no request sums a year of entries. */
export const spendingDays = pgTable(
  'spending_days',
  {
    organization_id: organizationIdColumn(),
    date: date('date', { mode: 'string' }).notNull(),
    key_id: text('key_id').notNull(),
    task: text('task').$type<TaskId>().notNull(),
    /** Empty: a task without models. */
    model: text('model').notNull(),
    /** Tags of the generations as the text of their jsonb value; `{}` without any. */
    tags: text('tags').notNull().default('{}'),
    spent_micro_usd: microUsdColumn('spent_micro_usd').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organization_id, table.date, table.key_id, table.task, table.model, table.tags] }),
    index('spending_days_key').on(table.organization_id, table.key_id, table.date),
  ],
);

/**
 * `spending_days` of days that are over, with and without tags. A worker adds them, so that no request sums rows for each
 * combination of tags.
 */
export const spendingTotals = pgTable(
  'spending_totals',
  {
    organization_id: organizationIdColumn(),
    /** Empty: all spending. `name`: by value of the tag alone. `name=value`: that of a value. */
    tag: text('tag').notNull(),
    date: date('date', { mode: 'string' }).notNull(),
    value: text('value').notNull(),
    key_id: text('key_id').notNull(),
    task: text('task').notNull(),
    model: text('model').notNull(),
    spent_micro_usd: microUsdColumn('spent_micro_usd').notNull(),
    count: integer('count').notNull(),
  },
  (table) => {
    const { organization_id, tag, value, key_id, task, model } = table;
    const columns = [organization_id, tag, table.date, value, key_id, task, model] as const;
    return [primaryKey({ name: 'spending_totals_pk', columns: [...columns] })];
  },
);

/**
 * Sums of blocks of consecutive entries, which never change: a worker adds them once a block is full, so that no request
 * sums a long ledger. Empty text stands for none.
 */
export const ledgerBlockSums = pgTable(
  'ledger_block_sums',
  {
    organization_id: organizationIdColumn(),
    /** Empty: all entries. `name` or `name=value`: those of generations with the tag. */
    tag: text('tag').notNull(),
    /** Entries of a block. */
    size: integer('size').notNull(),
    /** The block from `seq` `block * size + 1` on. */
    block: integer('block').notNull(),
    type: text('type').$type<LedgerType>().notNull(),
    key_id: text('key_id').notNull(),
    task: text('task').notNull(),
    model: text('model').notNull(),
    amount_micro_usd: microUsdColumn('amount_micro_usd').notNull(),
    count: integer('count').notNull(),
  },
  (table) => {
    const { organization_id, tag, size, block, type, key_id, task, model } = table;
    return [
      primaryKey({
        name: 'ledger_block_sums_pk',
        columns: [organization_id, tag, size, block, type, key_id, task, model],
      }),
    ];
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
