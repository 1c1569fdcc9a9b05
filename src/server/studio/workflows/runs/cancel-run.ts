import { and, asc, eq, inArray } from 'drizzle-orm';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { releaseFunds } from '#server/accounts/billing/fund-transfers.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { workflowItems, workflowRuns } from '#server/platform/db/schema/workflow-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { markCanceled } from '#server/studio/generations/cancel-generation.ts';
import { withIdempotency } from '#server/accounts/idempotency/with-idempotency.ts';
import { findRun, readRun } from './find-run.ts';
import { isRunFinal } from './run-steps.ts';

/**
 * Cancels queued and running generations in one transaction; those in manual review remain. Decision: Workflow runs
 * @throws {ApiError} 404 `workflow_run_not_found`, 503
 */
export async function cancelRun(deps: Deps, caller: Caller, id: string, reason: string | null): Promise<WorkflowRun> {
  const { organization_id, key_id } = caller;
  const now = deps.clock.now();
  const { body } = await withIdempotency(deps, undefined, async (tx) => {
    await findRun(tx, organization_id, id);
    const [run] = await tx.select().from(workflowRuns).where(eq(workflowRuns.id, id)).for('no key update');
    if (run && !isRunFinal(run)) {
      const end = { status: 'canceled', cancel_reason: reason, canceled_by: key_id } as const;
      await tx
        .update(workflowRuns)
        .set({ ...end, completed_at: now, updated_at: now })
        .where(eq(workflowRuns.id, id));
      await cancelGenerations(deps, tx, organization_id, id, now);
      const target = { type: 'workflow_run', id, name: run.starter_slug };
      await recordAuditEvent(tx, caller, { action: 'workflow_run.canceled', target, after: { reason } }, now);
    }
    return { status: 200, body: await readRun({ ...deps, db: tx }, organization_id, id) };
  });
  return body;
}

async function cancelGenerations(deps: Deps, tx: Tx, organizationId: string, runId: string, now: Date): Promise<void> {
  // A generation that is being settled holds its row until it gets the account, so all rows are locked before it.
  const active = await tx
    .select({ id: generations.id })
    .from(generations)
    .innerJoin(workflowItems, eq(workflowItems.generation_id, generations.id))
    .where(
      and(
        eq(workflowItems.run_id, runId),
        eq(workflowItems.kept, false),
        inArray(generations.status, ['queued', 'running']),
      ),
    )
    .orderBy(asc(generations.id))
    .for('no key update', { of: generations });
  const stopped = [];
  for (const { id } of active) stopped.push(await markCanceled(deps, tx, organizationId, id, now));
  for (const row of stopped) if (row) await releaseFunds(tx, row, row.amount_micro_usd, now);
}
