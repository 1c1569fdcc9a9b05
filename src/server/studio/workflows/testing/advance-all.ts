import type { Db } from '#server/platform/db/db.ts';
import { and, asc, eq, inArray } from 'drizzle-orm';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { advanceRun } from '#server/studio/workflows/advance/advancer.ts';

export const neverAborted: AbortSignal = new AbortController().signal;

export async function advanceAll(deps: Deps, run_id: string): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    await advanceRun(deps, run_id, neverAborted);
    const waiting = await listActiveGenerations(deps.db, run_id);
    if (waiting.length === 0) return;
    for (const id of waiting) await runGeneration(deps, id, { shutdown: neverAborted });
  }
}

export async function listActiveGenerations(db: Db, run_id: string): Promise<string[]> {
  const rows = await db
    .select({ id: generations.id })
    .from(generations)
    .where(and(eq(generations.workflow_run_id, run_id), inArray(generations.status, ['queued', 'running'])))
    .orderBy(asc(generations.id));
  return rows.map(({ id }) => id);
}
