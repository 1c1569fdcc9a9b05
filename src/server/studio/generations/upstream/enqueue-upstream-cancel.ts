import { and, eq } from 'drizzle-orm';
import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { upstreamJobs } from '#server/platform/db/schema/schema.ts';

/**
 * Enqueues the cancellation of a generation's upstream job. Does nothing if there is no accepted job; if its handle is
 * not known yet, `recordAccepted` cancels it later.
 */
export async function enqueueUpstreamCancel({ queue }: Deps, tx: Tx, generationId: string): Promise<void> {
  const [job] = await tx
    .select({ generation_id: upstreamJobs.generation_id })
    .from(upstreamJobs)
    .where(and(eq(upstreamJobs.generation_id, generationId), eq(upstreamJobs.state, 'accepted')))
    .for('update');
  if (job) await queue.send(tx, 'upstream.cancel', job, { key: generationId });
}
