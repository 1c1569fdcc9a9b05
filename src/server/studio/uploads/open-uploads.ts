import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { resumableUploads } from '#server/platform/db/schema/upload-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ApiError } from '#server/platform/core/api-error.ts';

export interface OpenUploads {
  /** @param bytes declared length; null if unknown @throws {ApiError} 429 `rate_limit_exceeded`; what `work` throws */
  receive<T>(caller: Caller, bytes: number | null, work: () => Promise<T>): Promise<T>;
  /**
   * Serializes creations by the same key in the transaction. @throws {ApiError} 429 `rate_limit_exceeded`
   * @param bytes declared length; null if unknown
   */
  assertResumable(tx: Tx, caller: Caller, bytes: number | null): Promise<void>;
}

interface Total {
  count: number;
  bytes: number;
}

const ZERO_TOTAL: Total = { count: 0, bytes: 0 };
const RETRY_AFTER_SECONDS = 30;

/** Resumable uploads are counted in the database, direct ones in the process that receives them. */
export function createOpenUploads({ config, db, clock }: Deps): OpenUploads {
  const receiving = new Map<string, Total>();
  const declared = (bytes: number | null): Total => ({
    count: 1,
    bytes: Math.min(bytes ?? config.maxUploadBytes, config.maxUploadBytes),
  });
  const receivingOf = ({ key_id }: Caller): Total => receiving.get(key_id) ?? ZERO_TOTAL;

  async function resumableOf(from: Db | Tx, { key_id }: Caller): Promise<Total> {
    const [row] = await from
      .select({
        count: sql`count(*)`.mapWith(Number),
        bytes: sql`coalesce(sum(coalesce(${resumableUploads.length_bytes}, ${config.maxUploadBytes})), 0)`.mapWith(
          Number,
        ),
      })
      .from(resumableUploads)
      .where(
        and(
          eq(resumableUploads.created_by, key_id),
          isNull(resumableUploads.upload_id),
          gt(resumableUploads.expires_at, clock.now()),
        ),
      );
    return row ?? ZERO_TOTAL;
  }

  function assertWithin(...totals: readonly Total[]): void {
    const { count, bytes } = totals.reduce(addTotals);
    if (count > config.maxOpenUploads) {
      throw tooManyUploadsError(`This key has reached its limit of ${config.maxOpenUploads} unfinished uploads.`);
    }
    if (bytes > config.maxOpenUploadBytes) {
      const maxBytes = config.maxOpenUploadBytes.toLocaleString('en-US');
      throw tooManyUploadsError(`The unfinished uploads of this key would exceed ${maxBytes} bytes in total.`);
    }
  }

  return {
    async receive(caller, bytes, work) {
      const { key_id } = caller;
      const total = declared(bytes);
      receiving.set(key_id, addTotals(receivingOf(caller), total));
      try {
        assertWithin(receivingOf(caller));
        assertWithin(receivingOf(caller), await resumableOf(db, caller));
        return await work();
      } finally {
        const rest = addTotals(receivingOf(caller), { count: -total.count, bytes: -total.bytes });
        if (rest.count > 0) receiving.set(key_id, rest);
        else receiving.delete(key_id);
      }
    },

    async assertResumable(tx, caller, bytes) {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`open uploads ${caller.key_id}`}, 0))`);
      assertWithin(declared(bytes), receivingOf(caller), await resumableOf(tx, caller));
    },
  };
}

const addTotals = (a: Total, b: Total): Total => ({ count: a.count + b.count, bytes: a.bytes + b.bytes });

const tooManyUploadsError = (problem: string): ApiError =>
  new ApiError('rate_limit_exceeded', `${problem} Finish or cancel one of them, then try again.`, {
    retry_after_seconds: RETRY_AFTER_SECONDS,
  });
