import { and, asc, gt, lte, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '#server/db/db.ts';

const PAGE_ROWS = 10_000;

/**
 * Conditions that part a table into pages by a unique column, so that no statement holds the embedded database up. What is
 * added meanwhile may be left out.
 */
export async function* tablePages(db: Db, table: PgTable, column: PgColumn): AsyncGenerator<SQL | undefined> {
  for (let after = ''; ;) {
    const [last] = await db
      .select({ value: column })
      .from(table)
      .where(gt(column, after))
      .orderBy(asc(column))
      .offset(PAGE_ROWS - 1)
      .limit(1);
    const upto = last === undefined ? undefined : String(last.value);
    yield and(gt(column, after), upto === undefined ? undefined : lte(column, upto));
    if (upto === undefined) return;
    after = upto;
  }
}
