import { eq } from 'drizzle-orm';
import { enqueueDerivatives } from '#server/studio/assets/derivatives/enqueue-derivatives.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { assets, generations } from '#server/platform/db/schema/schema.ts';
import { insertReceivedFiles, type ReceivedFileDraft } from '#server/studio/assets/received-files.ts';
import { type AssetDraft, insertOutputs } from '#server/studio/generations/store-outputs.ts';

/** Whether a job was complete at the provider when its generation was canceled at a time. */
export type IsCancelLate = (canceledAt: Date) => boolean;

/**
 * Keeps the result of a job whose cancel came too late: its outputs belong to the canceled generation, which stays
 * canceled and is not charged. The caller holds the lock of the generation. Decision: Cancel
 * @returns false if there is nothing to keep it for; the stored files may then be discarded
 */
export async function keepLateResult(
  deps: Deps,
  tx: Tx,
  generationId: string,
  result: {
    outputs: readonly AssetDraft[];
    received?: readonly ReceivedFileDraft[];
    data: Record<string, unknown> | null;
  },
  isCancelLate: IsCancelLate,
  now: Date,
): Promise<boolean> {
  const [row] = await tx
    .select({ status: generations.status, canceledAt: generations.completed_at, data: generations.output_data })
    .from(generations)
    .where(eq(generations.id, generationId));
  if (row?.status !== 'canceled' || !row.canceledAt || !isCancelLate(row.canceledAt)) return false;
  const kept = await tx.select({ id: assets.id }).from(assets).where(eq(assets.generation_id, generationId)).limit(1);
  if (kept.length > 0 || row.data !== null) return false;
  await insertOutputs(deps, tx, result.outputs);
  await insertReceivedFiles(tx, result.received ?? []);
  await enqueueDerivatives(deps, tx, result.outputs);
  await tx
    .update(generations)
    .set({ output_data: result.data, updated_at: now })
    .where(eq(generations.id, generationId));
  return true;
}
