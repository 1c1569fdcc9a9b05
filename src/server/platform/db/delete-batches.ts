import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';
import { readRows } from './rows/list-tables.ts';

const BATCH_SIZE = 1_000;

/**
 * Deletes rows in batches, so that no statement holds locks for long, however many there are.
 * @param condition an index should have it
 * @returns the number of rows
 */
export async function deleteInBatches(db: Db, table: PgTable, condition: SQL): Promise<number> {
  for (let deleted = 0; ;) {
    const [batch] = await readRows<{ count: number }>(
      db,
      sql`with batch as (
          delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${BATCH_SIZE})) returning 1
        ) select count(*)::int as count from batch`,
    );
    const count = batch?.count ?? 0;
    deleted += count;
    if (count < BATCH_SIZE) return deleted;
  }
}
