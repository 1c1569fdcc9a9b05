import { and, asc, gt, lte, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '#server/platform/db/db.ts';

const PAGE_ROWS = 10_000;

/** Divides a table into pages, so that no statement blocks the embedded database; may miss rows inserted meanwhile. */
export async function* tablePages(db: Db, table: PgTable, column: PgColumn): AsyncGenerator<SQL | undefined> {
  for (let after = ''; ;) {
    const [last] = await db
      .select({ value: column })
      .from(table)
      .where(gt(column, after))
      .orderBy(asc(column))
      .offset(PAGE_ROWS - 1)
      .limit(1);
    const last_value = last === undefined ? undefined : String(last.value);
    yield and(gt(column, after), last_value === undefined ? undefined : lte(column, last_value));
    if (last_value === undefined) return;
    after = last_value;
  }
}
