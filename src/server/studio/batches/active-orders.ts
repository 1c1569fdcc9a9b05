import { and, eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { generations } from '#server/platform/db/schema/schema.ts';

/** Orders of one batch that are queued or running, so that no list occupies everything. Decision: Batches */
export const MAX_ACTIVE_ORDERS = 8;

export const countActive = (db: Db | Tx, batchId: string): Promise<number> =>
  db.$count(generations, and(eq(generations.batch_id, batchId), sql`${generations.status} in ('queued', 'running')`));
