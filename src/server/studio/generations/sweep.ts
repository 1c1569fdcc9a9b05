import { and, asc, eq, isNull, lt, or } from 'drizzle-orm';
import type { Deps } from '#server/platform/deps.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { sendGenerationJob } from './send-generation-job.ts';

const HOUR_MS = 3600 * 1000;
const BATCH_SIZE = 500;

/** Sends a new job for generations that have waited for an hour, in case theirs was lost. @returns the number of jobs */
export async function requeueStale(deps: Deps): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - HOUR_MS);
  return deps.db.transaction(async (tx) => {
    const rows = await tx
      .select({
        id: generations.id,
        task: generations.task,
        model: generations.model,
        turn: generations.turn,
        created_by: generations.created_by,
      })
      .from(generations)
      .where(
        or(
          and(eq(generations.status, 'queued'), lt(generations.created_at, before)),
          and(eq(generations.status, 'running'), isNull(generations.lease_owner), lt(generations.updated_at, before)),
        ),
      )
      .orderBy(asc(generations.id))
      .limit(BATCH_SIZE);
    for (const row of rows) await sendGenerationJob(deps, tx, row);
    return rows.length;
  });
}
