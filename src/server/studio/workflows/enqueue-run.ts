import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Tx } from '#server/platform/db/db.ts';
import { workflowRuns } from '#server/platform/db/schema/workflow-schema.ts';
import type { Deps } from '#server/platform/deps.ts';

/** Takes turns by the position among the key's unfinished runs, so that many hardly delay another key's first run. */
export async function enqueueRun({ queue }: Pick<Deps, 'queue'>, tx: Tx, runId: string): Promise<void> {
  const keyId = sql`(select woken.created_by from ${workflowRuns} as woken where woken.id = ${runId})`;
  const isEarlier = and(
    eq(workflowRuns.created_by, keyId),
    lt(workflowRuns.id, runId),
    inArray(workflowRuns.status, ['queued', 'running']),
  );
  const turn = await tx.$count(workflowRuns, isEarlier);
  await queue.send(tx, 'workflow.advance', { run_id: runId }, { turn });
}
