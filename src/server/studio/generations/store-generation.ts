import { sql } from 'drizzle-orm';
import { draftReservation } from '#server/accounts/billing/fund-transfers.ts';
import { toBillingError } from '#server/accounts/billing/billing-errors.ts';
import { createKeyedLimit } from '#server/platform/core/keyed-limit.ts';
import { prepareOnce } from '#server/platform/db/prepare-once.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { sqlStateOf } from '#server/platform/db/sql-state.ts';
import { PAST_DEADLINE, STATEMENT_DEADLINE } from '#server/platform/db/statement-deadline.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { mediaUses } from '#server/platform/db/library-schema.ts';
import { toSearchVector } from '#server/platform/core/search-words.ts';
import { withKeyLock } from '#server/accounts/keys/lock-key.ts';
import type { GenerationRow } from './present-generation.ts';
import { type GenerationJobDeps, buildGenerationJob } from './send-generation-job.ts';

type MediaUse = Omit<typeof mediaUses.$inferInsert, 'generation_id' | 'organization_id'>;

/**
 * Stores a new generation with its job, its words, tags and uses of media, and reserves its price, in one round trip.
 * The database assigns its turn. Other requests wait from here on for its key and its account.
 * @throws {ApiError} 401 if the key was revoked; 402 `insufficient_balance`
 */
export async function storeGeneration(
  deps: Pick<GenerationJobDeps, 'queue'>,
  tx: Tx,
  row: GenerationRow,
  uses: readonly MediaUse[],
): Promise<void> {
  await callFunction(deps, tx, row, uses, [null, null]);
}

/** `store_generation` raises it if the Idempotency-Key was used before. */
const USED_KEY = 'EM008';
/**
 * Creates of an organization take turns at its account in the database. Many that wait there slow each other down and
 * take connections from other requests.
 */
const MAX_AT_ONCE = 2;
const MAX_WAIT_MS = 1_000;
const limitOf = prepareOnce(() => createKeyedLimit(MAX_AT_ONCE, MAX_WAIT_MS));
/** A deadline that is past so soon is wrong: the clock of the server was changed since the connection opened. */
const WRONG_DEADLINE_MS = 2_000;

/**
 * Like `storeGeneration`, with the response to an idempotent request, in one statement without a transaction. It can't
 * take effect after the caller has given up and reported a failure, unless it was committing at that moment.
 * @param response what `draftStoredResponse` returns
 * @returns false, with nothing stored, if it takes a transaction
 */
export async function storeInOneStatement(
  deps: Pick<GenerationJobDeps, 'queue'> & Pick<Deps, 'db'>,
  row: GenerationRow,
  response: string | null,
): Promise<boolean> {
  const began_ms = performance.now();
  try {
    const call = () => callFunction(deps, deps.db, row, [], [response, STATEMENT_DEADLINE]);
    await limitOf(deps.db)(row.organization_id, call);
    return true;
  } catch (error) {
    const state = sqlStateOf(error);
    if (state === USED_KEY) return false;
    if (state === PAST_DEADLINE && performance.now() - began_ms < WRONG_DEADLINE_MS) return false;
    throw error;
  }
}

/** In a transaction, there is neither a response nor a deadline. */
async function callFunction(
  deps: Pick<GenerationJobDeps, 'queue'>,
  db: Pick<Tx, 'execute'>,
  row: GenerationRow,
  uses: readonly MediaUse[],
  [response, deadline]: [string | null, typeof STATEMENT_DEADLINE | null],
): Promise<void> {
  const job = await buildGenerationJob(deps, row);
  const stored_uses = uses.length > 0 ? toJson(uses) : null;
  const reservation = draftReservation(row, row.amount_micro_usd, row.created_at);
  const call = sql`select from store_generation(${toJson(row)}, ${wordsOfWork(row)}, ${stored_uses}, ${job}, ${reservation && toJson(reservation)}, ${response}, ${deadline})`;
  try {
    await withKeyLock(db.execute(call));
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
