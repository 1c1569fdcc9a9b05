import { and, asc, eq, inArray } from 'drizzle-orm';
import type { AuditActor } from '#server/accounts/audit/record-audit-event.ts';
import { workflowRuns } from '#server/platform/db/schema/workflow-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { cancelQueuedGenerations } from '#server/studio/generations/cancel-revoked.ts';
import { revokeKey } from '#server/accounts/keys/revoke-key.ts';
import { enqueueRun } from './enqueue-run.ts';

/**
 * Cancels queued generations and stops runs; what is running or at a provider is completed and settled. If the process
 * ends in between, workers find the key revoked. Decision: Revoked keys @throws {ApiError} 409 `last_admin_key`
 * @returns whether the organization has such a key
 */
export async function revokeKeyAndCancelWork(deps: Deps, actor: AuditActor, keyId: string): Promise<boolean> {
  const key = await revokeKey(deps, actor, keyId);
  if (!key) return false;
  await cancelWorkOfKey(deps, key);
  return true;
}

/** Cancels the queued work of a revoked key. */
export async function cancelWorkOfKey(deps: Deps, key: { id: string; name: string }): Promise<void> {
  await cancelQueuedGenerations(deps, key);
  const runs = await deps.db
    .select({ id: workflowRuns.id })
    .from(workflowRuns)
    .where(and(eq(workflowRuns.created_by, key.id), inArray(workflowRuns.status, ['queued', 'running'])))
    .orderBy(asc(workflowRuns.id));
  for (const { id } of runs) await deps.db.transaction((tx) => enqueueRun(deps, tx, id));
}
