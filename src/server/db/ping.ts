import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';

/** @throws where the database does not answer */
export async function ping(db: Db): Promise<void> {
  await db.execute(sql`select 1`);
}
