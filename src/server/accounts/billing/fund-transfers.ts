import { isModelId, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { AddedModelId } from '#contract/ids.ts';
import { eq } from 'drizzle-orm';
import { addedModels } from '#server/platform/db/schema/added-model-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { generations } from '#server/platform/db/schema/schema.ts';
import { type EntryDraft, type LedgerRow, appendEntries, appendEntry, toNewEntry } from './ledger/append-entries.ts';

/** Fields of a generation that its entries copy. */
export type BilledGeneration = Pick<
  typeof generations.$inferSelect,
  'id' | 'organization_id' | 'task' | 'model' | 'workflow_run_id' | 'created_by'
>;

/**
 * The entry that reserves the price of a generation, for the statement that inserts both; null for free work. Pass errors
 * of that statement to `toBillingError`.
 */
export async function newReservation(tx: Tx, payer: BilledGeneration, amountMicroUsd: bigint, now: Date) {
  if (amountMicroUsd === 0n) return null;
  const move = { type: 'RESERVE', amount_micro_usd: -amountMicroUsd } as const;
  return toNewEntry(payer.organization_id, buildEntryDraft(payer, move, await describeWork(tx, payer)), now);
}

export const releaseFunds = (tx: Tx, payer: BilledGeneration, reservedMicroUsd: bigint, now: Date): Promise<void> =>
  appendTransfers(tx, payer, [{ type: 'RELEASE', amount_micro_usd: reservedMicroUsd }], now);

/** Releases the reservation and settles the charge. @throws {RangeError} if the charge exceeds the reservation */
export async function settleFunds(
  tx: Tx,
  payer: BilledGeneration,
  { reserved_micro_usd, charge_micro_usd }: { reserved_micro_usd: bigint; charge_micro_usd: bigint },
  now: Date,
): Promise<void> {
  if (charge_micro_usd > reserved_micro_usd) throw new RangeError('The charge exceeds the reservation.');
  const moves: FundTransfer[] = [
    { type: 'RELEASE', amount_micro_usd: reserved_micro_usd },
    { type: 'SETTLE', amount_micro_usd: -charge_micro_usd },
  ];
  await appendTransfers(tx, payer, moves, now);
}

/**
 * Refunds a settled charge in full or in part.
 * @param by who refunds, and why
 * @throws {ApiError} 400 `invalid_request` if it exceeds the rest of the charge
 */
export async function refundFunds(
  tx: Tx,
  payer: BilledGeneration,
  amountMicroUsd: bigint,
  by: { created_by: string | null; description: string },
  now: Date,
): Promise<LedgerRow> {
  const draft = { ...buildEntryDraft(payer, { type: 'REFUND', amount_micro_usd: amountMicroUsd }, ''), ...by };
  return appendEntry(tx, payer.organization_id, draft, now);
}

type FundTransfer = Pick<EntryDraft, 'type' | 'amount_micro_usd'>;

/** Amounts of zero create no entry. Decision: Prices */
async function appendTransfers(
  tx: Tx,
  payer: BilledGeneration,
  moves: readonly FundTransfer[],
  now: Date,
): Promise<void> {
  const paid = moves.filter((move) => move.amount_micro_usd !== 0n);
  if (paid.length === 0) return;
  const description = await describeWork(tx, payer);
  const drafts = paid.map((move) => buildEntryDraft(payer, move, description));
  await appendEntries(tx, payer.organization_id, drafts, now);
}

async function describeWork(tx: Tx, { task, model }: Pick<BilledGeneration, 'task' | 'model'>): Promise<string> {
  const { name } = TASKS[task];
  return model === null ? name : `${name} · ${isModelId(model) ? MODEL_NAMES[model] : await readAddedName(tx, model)}`;
}

async function readAddedName(tx: Tx, id: AddedModelId): Promise<string> {
  const [model] = await tx.select({ name: addedModels.name }).from(addedModels).where(eq(addedModels.id, id));
  return model?.name ?? id;
}

function buildEntryDraft(payer: BilledGeneration, move: FundTransfer, description: string): EntryDraft {
  return {
    ...move,
    generation_id: payer.id,
    task: payer.task,
    model: payer.model,
    key_id: payer.created_by,
    workflow_run_id: payer.workflow_run_id,
    description,
    created_by: payer.created_by,
  };
}
