import { and, eq, sql } from 'drizzle-orm';
import type { Config } from '#server/core/config.ts';
import type { Tx } from '#server/db/db.ts';
import { generations } from '#server/db/schema.ts';
import { ApiError } from '#server/core/api-error.ts';
import type { GenerationRow } from './present-generation.ts';

/**
 * Assigns a new generation its turn: one after the last that its key has queued in the lane, but not before the first
 * queued turn of all keys. Keys take turns this way, however many generations one of them queues. Call it under `lockKey`.
 */
export async function assignTurn(
  tx: Tx,
  { id, lane, created_by }: Pick<GenerationRow, 'id' | 'lane' | 'created_by'>,
): Promise<number> {
  const queued = sql`from ${generations} as waiting
    where waiting.status = 'queued' and waiting.lane = ${lane} and waiting.id <> ${id}`;
  const first = sql`(select coalesce(min(waiting.turn), 0) ${queued})`;
  const next_of_key = sql`(select coalesce(max(waiting.turn) + 1, 0) ${queued} and waiting.created_by = ${created_by})`;
  const [row] = await tx
    .update(generations)
    .set({ turn: sql`greatest(${first}, ${next_of_key})` })
    .where(eq(generations.id, id))
    .returning({ turn: generations.turn });
  if (!row) throw new Error(`There is no generation ${id}.`);
  return row.turn;
}

const RETRY_AFTER_SECONDS = 10;

/**
 * Rejects a newly inserted free generation if its key exceeds the limit, since no price bounds free ones.
 * @throws {ApiError} 429 `rate_limit_exceeded`
 */
export async function assertFreeQuota(
  { max_queued_free_generations: limit }: Pick<Config, 'max_queued_free_generations'>,
  tx: Tx,
  key_id: string,
): Promise<void> {
  const is_free = and(
    eq(generations.created_by, key_id),
    eq(generations.status, 'queued'),
    eq(generations.amount_micro_usd, 0n),
  );
  if ((await tx.$count(generations, is_free)) <= limit) return;
  throw new ApiError(
    'rate_limit_exceeded',
    `This key has reached its limit of ${limit.toLocaleString('en-US')} queued free generations. Wait until some have started, or cancel some.`,
    { retry_after_seconds: RETRY_AFTER_SECONDS },
  );
}
