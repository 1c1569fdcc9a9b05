import { eq } from 'drizzle-orm';
import type { Generation } from '#contract/resources/generation.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { releaseFunds } from '#server/accounts/billing/fund-transfers.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { withIdempotency } from '#server/accounts/idempotency/with-idempotency.ts';
import type { GenerationFailure } from './failure.ts';
import { readGeneration } from './read/find-generation.ts';
import { transitionGeneration } from './transition-generation.ts';
import type { GenerationRow } from './read/generation-row.ts';
import { enqueueUpstreamCancel } from './upstream/enqueue-upstream-cancel.ts';

/**
 * Cancels a queued or running generation, releases its reservation and stops its work here and upstream. A completed
 * generation does not change. Decision: Cancel
 * @throws {ApiError} 404 `generation_not_found`, 503
 */
export async function cancelGeneration(deps: Deps, caller: Caller, id: string): Promise<Generation> {
  const { organization_id } = caller;
  const now = deps.clock.now();
  const { body } = await withIdempotency(deps, undefined, async (tx) => {
    const row = await markCanceled(deps, tx, organization_id, id, now);
    const generation = await readGeneration({ ...deps, db: tx }, organization_id, id);
    // Last, because other requests wait for the account.
    if (row) await releaseFunds(tx, row, row.amount_micro_usd, now);
    if (row) await recordForeignCancels(tx, caller, [row], now);
    return { status: 200, body: generation };
  });
  return body;
}

/** Records who canceled generations that another key created. */
export async function recordForeignCancels(
  tx: Tx,
  caller: Caller,
  canceled: readonly Pick<GenerationRow, 'id' | 'created_by'>[],
  now: Date,
): Promise<void> {
  const ids = canceled.filter(({ created_by }) => created_by !== caller.key_id).map(({ id }) => id);
  if (ids.length === 0) return;
  const target = { type: 'generation', id: ids.length === 1 ? (ids[0] ?? null) : null };
  const before = { count: ids.length, ids };
  await recordAuditEvent(tx, caller, { action: 'generation.canceled', target, before }, now);
}

/**
 * Cancels a queued or running generation and its upstream job. The caller releases the reservation in the same
 * transaction.
 * @param error the reason, if the service and not the caller cancels it
 * @returns null if the generation is completed or in review
 */
export async function markCanceled(
  deps: Deps,
  tx: Tx,
  organizationId: string,
  id: string,
  now: Date,
  error: GenerationFailure | null = null,
): Promise<GenerationRow | null> {
  const row = await transitionGeneration(
    deps,
    tx,
    id,
    'canceled',
    { error, progress: null, billing_status: 'released', completed_at: now, updated_at: now },
    eq(generations.organization_id, organizationId),
  );
  if (row) await enqueueUpstreamCancel(deps, tx, id);
  return row;
}
