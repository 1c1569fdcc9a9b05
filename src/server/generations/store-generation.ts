import { sql } from 'drizzle-orm';
import { draftReservation } from '#server/billing/fund-transfers.ts';
import { toBillingError } from '#server/billing/billing-errors.ts';
import type { Tx } from '#server/db/db.ts';
import type { mediaUses } from '#server/db/library-schema.ts';
import { toSearchVector } from '#server/core/search-words.ts';
import { withKeyLock } from '#server/keys/lock-key.ts';
import type { GenerationRow } from './present-generation.ts';
import { type GenerationJobDeps, buildGenerationJob } from './send-generation-job.ts';

type MediaUse = Omit<typeof mediaUses.$inferInsert, 'generation_id' | 'organization_id'>;

/**
 * Stores a new generation with its job, its words, tags and uses of media, and reserves its price, in one round trip.
 * The database assigns its turn. Other requests wait from here on for its key and its account. A statement without a
 * transaction could commit after the caller has lost the connection and reported a failure.
 * @throws {ApiError} 401 if the key was revoked; 402 `insufficient_balance`
 */
export async function storeGeneration(
  deps: Pick<GenerationJobDeps, 'queue'>,
  tx: Tx,
  row: GenerationRow,
  uses: readonly MediaUse[],
): Promise<void> {
  const job = await buildGenerationJob(deps, row);
  const stored_uses = uses.length > 0 ? toJson(uses) : null;
  const reservation = draftReservation(row, row.amount_micro_usd, row.created_at);
  const call = sql`select from store_generation(${toJson(row)}, ${wordsOfPrompt(row)}, ${stored_uses}, ${job}, ${reservation && toJson(reservation)})`;
  try {
    await withKeyLock(tx.execute(call));
  } catch (error) {
    throw toBillingError(error);
  }
}

/** As the database reads it: amounts as text, because JSON numbers are inexact. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));

/** The words by which a generation is found; null: none. */
function wordsOfPrompt({ input }: Pick<GenerationRow, 'input'>): string | null {
  const text = input['prompt'] ?? input['query'];
  return typeof text === 'string' ? toSearchVector(text) : null;
}
