import { bigint, date, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import type { TaskId } from '#contract/ids.ts';
import type { Pricing } from '#contract/resources/catalog.ts';
import { organizations } from './schema.ts';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
const micro_usd = (name: string) => bigint(name, { mode: 'bigint' });
const organization_id = () =>
  text('organization_id')
    .notNull()
    .references(() => organizations.id);

/** The id of the budget that is the whole organization's; every other is a key's. */
export const ORGANIZATION_BUDGET = 'organization';

/** What may be spent in a month, UTC. What counts towards it is kept by the trigger that appends entries. */
export const budgets = pgTable(
  'budgets',
  {
    organization_id: organization_id(),
    /** `organization`, or the id of a key. */
    id: text('id').notNull(),
    limit_micro_usd: micro_usd('limit_micro_usd').notNull(),
    warn_at_percent: integer('warn_at_percent').notNull(),
    /** Who is asked for more. */
    contact: text('contact'),
    /** First day of the month that `spent_micro_usd` is of. */
    month: date('month', { mode: 'string' }).notNull(),
    /** SETTLE less REFUND in that month. */
    spent_micro_usd: micro_usd('spent_micro_usd').notNull(),
    /** Held now, since whenever. */
    reserved_micro_usd: micro_usd('reserved_micro_usd').notNull(),
    updated_at: at('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.id] })],
);

/** SETTLE less REFUND by day, UTC: sums that the trigger keeps, so that no request adds up a year of entries. */
export const spendingDays = pgTable(
  'spending_days',
  {
    organization_id: organization_id(),
    date: date('date', { mode: 'string' }).notNull(),
    key_id: text('key_id').notNull(),
    task: text('task').$type<TaskId>().notNull(),
    /** Empty: a task without models. */
    model: text('model').notNull(),
    spent_micro_usd: micro_usd('spent_micro_usd').notNull(),
    /** Of SETTLE. */
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.date, table.key_id, table.task, table.model] })],
);

/** Each price book that was in force here, from when on. */
export const priceBooks = pgTable('price_books', {
  since: at('since').primaryKey(),
  prices: jsonb('prices').$type<Pricing['data']>().notNull(),
});
