import { toBillingError } from '#server/accounts/billing/billing-errors.ts';
import { newReservation } from '#server/accounts/billing/fund-transfers.ts';
import { withKeyLock } from '#server/accounts/keys/lock-key.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { executePrepared } from '#server/platform/db/execute-prepared.ts';
import type { mediaUses } from '#server/platform/db/schema/library-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { lockUsedMedia } from '#server/studio/assets/lock-used-media.ts';
import { newWorkWords } from '#server/studio/assets/search-text.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import type { GenerationPlan } from './plan-generation.ts';
import { assertFreeQuota } from '#server/studio/generations/queue-turn.ts';
import { lockBatch, replaceInBatch } from './replace-in-batch.ts';
import { assertRetryable, lockRetryChain } from '#server/studio/generations/retry/retry-chain.ts';
import { sendGenerationJob } from '#server/studio/generations/send-generation-job.ts';

/**
 * Writes a planned generation, in the caller's transaction: its row, the reservation of its price and its job. A retry
 * takes the place of the generation that it repeats in a batch.
 * @throws {ApiError} 401 if the key was revoked; 402 `insufficient_balance`; 409 if a retry came first; 429 if its key has
 * too many free generations queued; 400 if a referenced medium was deleted after validation
 */
export async function writeGeneration(
  deps: Deps,
  tx: Tx,
  { row, generation: { created_by } }: Pick<GenerationPlan, 'row' | 'generation'>,
): Promise<void> {
  const { retry_of, batch_id, chain_id, amount_micro_usd } = row;
  if (retry_of !== null) {
    // Before the chain and the account, as where a batch writes its orders.
    if (batch_id !== null) await lockBatch(tx, batch_id);
    await lockRetryChain(tx, chain_id);
    await assertRetryable(tx, { id: retry_of, chain_id });
  }
  const uses = await lockUsedMedia(deps, tx, row);
  const words = await newWorkWords(deps, tx, { ...row, creator: created_by.person?.name ?? created_by.name });
  const turn = await insertGeneration(tx, row, words, uses);
  await sendGenerationJob(deps, tx, { ...row, turn });
  if (amount_micro_usd === 0n) await assertFreeQuota(deps.config, tx, row.created_by);
  if (retry_of !== null && batch_id !== null)
    await replaceInBatch(tx, batch_id, { from: retry_of, to: row.id, now: deps.clock.now() });
}

const INSERTED = 'with new as materialized (select insert_generation($1, $2, $3) as turn)';
const INSERT = `${INSERTED} select turn from new`;
/** The entry is selected from the result of the function, because it needs the generation. */
const INSERT_WITH_RESERVATION = `${INSERTED}, reserved as (insert into ledger_entries
  select entry.* from new, jsonb_populate_record(null::ledger_entries, $4) as entry) select turn from new`;

type MediaUse = Omit<typeof mediaUses.$inferInsert, 'generation_id' | 'organization_id'>;

/**
 * Inserts a generation with its words, tags and uses of media, and reserves its price, in one statement: other requests
 * wait from here on for its account and its key.
 * @returns its turn in the queue
 * @throws {ApiError} 401 if the key was revoked; 402 `insufficient_balance`
 */
export async function insertGeneration(
  tx: Tx,
  row: GenerationRow,
  words: string,
  uses: readonly MediaUse[],
): Promise<number> {
  const usesJson = uses.length > 0 ? toJson(uses) : null;
  const reservation = await newReservation(tx, row, row.amount_micro_usd, row.created_at);
  const params = [toJson(row), words, usesJson, ...(reservation ? [toJson(reservation)] : [])];
  try {
    const { rows } = await withKeyLock(
      executePrepared<{ turn: number }>(tx, reservation ? INSERT_WITH_RESERVATION : INSERT, params),
    );
    return rows[0]?.turn ?? 0;
  } catch (error) {
    throw toBillingError(error);
  }
}

/** As the database reads it: amounts as text, because JSON numbers are inexact. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));
