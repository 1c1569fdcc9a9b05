import { sql } from 'drizzle-orm';
import { bigint, date, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { Pricing } from '#contract/resources/catalog.ts';
import type { LedgerType } from '#contract/ledger.ts';
import { timestampColumn, microUsdColumn } from './columns.ts';
import { apiKeys, generations, organizationIdColumn, organizations } from './schema.ts';

/** What the first entry of a ledger is chained to. */
export const GENESIS_HASH = '0'.repeat(64);
/** Given by the database when an entry is appended, whatever the insert says. */
const triggerAssignedInteger = (name: string) =>
  microUsdColumn(name)
    .notNull()
    .default(sql`0`);

/** One row per organization, locked and kept by the trigger that appends entries, and by nothing else. */
export const accounts = pgTable('accounts', {
  organization_id: text('organization_id')
    .primaryKey()
    .references(() => organizations.id),
  available_micro_usd: microUsdColumn('available_micro_usd').notNull(),
  reserved_micro_usd: microUsdColumn('reserved_micro_usd').notNull(),
  /** SETTLE less REFUND, ever. */
  spent_micro_usd: microUsdColumn('spent_micro_usd').notNull(),
  /** Number of ledger entries so far. */
  last_seq: bigint('last_seq', { mode: 'bigint' }).notNull(),
  /** Of the newest entry; of an empty ledger 64 zeros. */
  last_hash: text('last_hash').notNull().default(GENESIS_HASH),
  last_entry_at: timestampColumn('last_entry_at'),
});

/** Append-only, by the database's own rules: see docs/ledger.md. Decision: Ledger */
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
    /** Of the generation, so that spending is summed up without looking at each. */
    task: text('task').$type<TaskId>(),
    model: text('model').$type<ModelId>(),
    workflow_run_id: text('workflow_run_id'),
    description: text('description').notNull(),
    /** Whose spending it is: the key of the generation. */
    key_id: text('key_id'),
    /** Who moved it. */
    created_by: text('created_by').references(() => apiKeys.id),
    /** Never before that of the entry before. */
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

/** The id of the budget that is the whole organization's; every other is a key's. */
export const ORGANIZATION_BUDGET = 'organization';

/** What may be spent in a month, UTC. What counts towards it is kept by the trigger that appends entries. */
export const budgets = pgTable(
  'budgets',
  {
    organization_id: organizationIdColumn(),
    /** `organization`, or the id of a key. */
    id: text('id').notNull(),
    limit_micro_usd: microUsdColumn('limit_micro_usd').notNull(),
    warn_at_percent: integer('warn_at_percent').notNull(),
    /** Who is asked for more. */
    contact: text('contact'),
    /** First day of the month that `spent_micro_usd` is of. */
    month: date('month', { mode: 'string' }).notNull(),
    /** SETTLE less REFUND in that month. */
    spent_micro_usd: microUsdColumn('spent_micro_usd').notNull(),
    /** Held now, since whenever. */
    reserved_micro_usd: microUsdColumn('reserved_micro_usd').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.id] })],
);

/** SETTLE less REFUND by day, UTC: sums that the trigger keeps, so that no request adds up a year of entries. */
export const spendingDays = pgTable(
  'spending_days',
  {
    organization_id: organizationIdColumn(),
    date: date('date', { mode: 'string' }).notNull(),
    key_id: text('key_id').notNull(),
    task: text('task').$type<TaskId>().notNull(),
    /** Empty: a task without models. */
    model: text('model').notNull(),
    spent_micro_usd: microUsdColumn('spent_micro_usd').notNull(),
    /** Of SETTLE. */
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.date, table.key_id, table.task, table.model] })],
);

/** Each price book that was in force here, from when on. */
export const priceBooks = pgTable('price_books', {
  since: timestampColumn('since').primaryKey(),
  prices: jsonb('prices').$type<Pricing['data']>().notNull(),
});
