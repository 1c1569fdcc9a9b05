import { sql } from 'drizzle-orm';
import { draftReservation } from '#server/accounts/billing/fund-transfers.ts';
import { toBillingError } from '#server/accounts/billing/billing-errors.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { mediaUses } from '#server/platform/db/library-schema.ts';
import { toSearchVector } from '#server/platform/core/search-words.ts';
import { withKeyLock } from '#server/accounts/keys/lock-key.ts';
import type { GenerationRow } from './present-generation.ts';

type MediaUse = Omit<typeof mediaUses.$inferInsert, 'generation_id' | 'organization_id'>;

/**
 * Stores a new generation with its words, tags and uses of media, and reserves its price. Other requests wait from here
 * on for its key and its account.
 * @returns its turn in the queue
 * @throws {ApiError} 401 if the key was revoked; 402 `insufficient_balance`
 */
export async function storeGeneration(tx: Tx, row: GenerationRow, uses: readonly MediaUse[]): Promise<number> {
  const usesJson = uses.length > 0 ? toJson(uses) : null;
  const reservation = draftReservation(row, row.amount_micro_usd, row.created_at);
  const call = sql`select store_generation(${toJson(row)}, ${wordsOfWork(row)}, ${usesJson}, ${reservation && toJson(reservation)}) as turn`;
  try {
    const { rows } = (await withKeyLock(tx.execute(call))) as { rows: { turn: number }[] };
    return rows[0]?.turn ?? 0;
  } catch (error) {
    throw toBillingError(error);
  }
}

/** As the database reads it: amounts as text, because JSON numbers are inexact. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));

/** The words by which a generation is found, of its metadata and its prompt; null: none. */
function wordsOfWork({ input, metadata }: Pick<GenerationRow, 'input' | 'metadata'>): string | null {
  const prompt = input['prompt'] ?? input['query'];
  const texts = [...Object.values(metadata ?? {}), ...(typeof prompt === 'string' ? [prompt] : [])];
  return texts.length > 0 ? toSearchVector(texts.join('\n')) : null;
}
