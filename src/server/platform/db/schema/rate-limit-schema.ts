import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { timestampColumn } from './columns.ts';

/** What the processes have counted together. Only written where there are several: with PostgreSQL. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    /** Name of the limit and what it counts: `key:key_…`. */
    key: text('key').primaryKey(),
    points: integer('points').notNull(),
    /** End of the window, by the clock of the database. */
    expires_at: timestampColumn('expires_at').notNull(),
  },
  (table) => [index('rate_limits_expiry').on(table.expires_at)],
);
