import { eq } from 'drizzle-orm';
import { releaseFunds, settleFunds } from '#server/accounts/billing/fund-transfers.ts';
import type { Deps } from '#server/platform/deps.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { enqueueDerivatives } from '#server/studio/assets/derivatives/enqueue-derivatives.ts';
import type { ReceivedFileDraft } from '#server/studio/assets/received-files.ts';
import { type ChargeBasis, computeCharge } from './compute-charge.ts';
import type { GenerationFailure } from './failure.ts';
import type { Lease } from './generation-lease.ts';
import { toMeasuredFile } from './create/validate-media.ts';
import { transitionGeneration } from './transition-generation.ts';
import { type AssetDraft, insertOutputs } from './store-outputs.ts';
import { enqueueUpstreamCancel } from './upstream/enqueue-upstream-cancel.ts';
import { type IsCancelLate, keepLateResult } from './upstream/late-result.ts';
import { type UpstreamCompletion, recordCompletion } from './upstream/upstream-job.ts';

export interface GenerationResult extends ChargeBasis {
  outputs: readonly AssetDraft[];
  /** Files that are no media here. */
  received?: readonly ReceivedFileDraft[];
  data: Record<string, unknown> | null;
}

/**
 * Completes a generation as succeeded: assets, status and charge in one transaction.
 * @param upstream how its upstream job completed, if it had one
 * @param isCancelLate if a cancel wins, whether it keeps the result; by default it does not
 * @returns false if another transition won and the result was not kept
 */
export async function settleSucceeded(
  deps: Deps,
  { row, owner }: Lease,
  result: GenerationResult,
  upstream?: UpstreamCompletion,
  isCancelLate: IsCancelLate = () => false,
): Promise<boolean> {
  const now = deps.clock.now();
  const charge = computeCharge(deps.offering.current(), row, result, result.outputs.map(toMeasuredFile));
  return deps.db.transaction(async (tx) => {
    const updated = await transitionGeneration(
      deps,
      tx,
      row.id,
      'succeeded',
      {
        ...charge,
        progress: 1,
        output_data: result.data,
        billing_status: 'settled',
        completed_at: now,
        updated_at: now,
      },
      eq(generations.lease_owner, owner),
    );
    if (upstream) await recordCompletion(tx, row.id, upstream, now);
    if (!updated) return keepLateResult(deps, tx, row.id, result, isCancelLate, now);
    await insertOutputs(deps, tx, result.outputs);
    await enqueueDerivatives(deps, tx, result.outputs);
    const funds = { reserved_micro_usd: row.amount_micro_usd, charge_micro_usd: charge.amount_micro_usd };
    await settleFunds(tx, updated, funds, now);
    return true;
  });
}

/**
 * Completes a generation as failed and releases its reservation. An unfinished upstream job is canceled.
 * @param upstream how its upstream job completed, if it did
 * @returns false if another transition won
 */
export async function settleFailed(
  deps: Deps,
  { row, owner }: Lease,
  error: GenerationFailure,
  upstream?: UpstreamCompletion,
): Promise<boolean> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const updated = await transitionGeneration(
      deps,
      tx,
      row.id,
      'failed',
      { error, progress: null, billing_status: 'released', completed_at: now, updated_at: now },
      eq(generations.lease_owner, owner),
    );
    if (upstream) await recordCompletion(tx, row.id, upstream, now);
    if (!updated) return false;
    await enqueueUpstreamCancel(deps, tx, row.id);
    await releaseFunds(tx, updated, updated.amount_micro_usd, now);
    return true;
  });
}
