import { and, eq } from 'drizzle-orm';
import type { Config } from '#server/platform/core/settings/config.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { ApiError } from '#server/platform/core/api-error.ts';

const RETRY_AFTER_SECONDS = 10;

/**
 * Rejects a newly inserted free generation if its key exceeds the limit, since no price bounds free ones.
 * @throws {ApiError} 429 `rate_limit_exceeded`
 */
export async function assertFreeQuota(
  { maxQueuedFreeGenerations: limit }: Pick<Config, 'maxQueuedFreeGenerations'>,
  tx: Tx,
  keyId: string,
): Promise<void> {
  const isFree = and(
    eq(generations.created_by, keyId),
    eq(generations.status, 'queued'),
    eq(generations.amount_micro_usd, 0n),
  );
  if ((await tx.$count(generations, isFree)) <= limit) return;
  throw new ApiError(
    'rate_limit_exceeded',
    `This key has reached its limit of ${limit.toLocaleString('en-US')} queued free generations. Wait until some have started, or cancel some.`,
    { retry_after_seconds: RETRY_AFTER_SECONDS },
  );
}
