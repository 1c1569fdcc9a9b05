import { and, asc, eq, gt } from 'drizzle-orm';
import type { Db } from '#server/platform/db/db.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { JobQueue } from '#server/platform/jobs/job-queue.ts';

const BATCH_ROWS = 500;

/**
 * Sends a job for each queued generation, after rows were copied into a database whose job queue is new. Workers find
 * everything else by themselves when they start: expired leases, runs and deliveries.
 */
export async function enqueueWaiting(db: Db, queue: Pick<JobQueue, 'send'>): Promise<void> {
  for (let last = ''; ;) {
    const rows = await db
      .select()
      .from(generations)
      .where(and(eq(generations.status, 'queued'), gt(generations.id, last)))
      .orderBy(asc(generations.id))
      .limit(BATCH_ROWS);
    await db.transaction(async (tx) => {
      for (const { id, lane, turn, created_by } of rows)
        await queue.send(tx, lane, { generation_id: id }, { key: id, turn, group: created_by });
    });
    last = rows.at(-1)?.id ?? last;
    if (rows.length < BATCH_ROWS) return;
  }
}
