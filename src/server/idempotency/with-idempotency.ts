import { and, eq, gte, lt, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/db.ts';
import { idempotencyKeys } from '#server/db/schema.ts';
import { ApiError } from '#server/core/api-error.ts';
import { LOCK_NOT_AVAILABLE, sqlStateOf } from '#server/db/sql-state.ts';

/** A request that carries an Idempotency-Key. */
export interface IdempotentRequest {
  organization_id: string;
  /** Method and path, ids included. */
  scope: string;
  key: string;
  /** See `fingerprint`. */
  fingerprint: string;
}

/** @template T the wire object answered with */
export interface StoredResponse<T> {
  status: number;
  body: T;
  /** It is the answer to an earlier request with the same key. */
  replayed: boolean;
}

const RETENTION_MS = 24 * 3600 * 1000;
const LOCK_TIMEOUT_SECONDS = 5;

/**
 * Runs `act` in one transaction that also keeps its answer under the request's key, so that the same request again gets
 * the same answer and has no second effect. While the first still runs, the second waits for it. What throws is not kept.
 * Decision: Idempotency
 * @param request undefined where no key was sent
 * @throws {ApiError} 409 `idempotency_conflict` for a different request with the key; 503 after 5 s of waiting for a lock
 */
export async function withIdempotency<T>(
  deps: { db: Db; clock: { now(): Date } },
  request: IdempotentRequest | undefined,
  act: (tx: Tx) => Promise<{ status: number; body: T }>,
): Promise<StoredResponse<T>> {
  try {
    return await deps.db.transaction(async (tx) => {
      await tx.execute(sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT_SECONDS}s'`));
      if (!request) return { ...(await act(tx)), replayed: false };
      const earlier = await claimKey<T>(tx, request, deps.clock.now());
      if (earlier) return earlier;
      const answer = await act(tx);
      await tx.update(idempotencyKeys).set(answer).where(requestCondition(request));
      return { ...answer, replayed: false };
    });
  } catch (error) {
    if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new ApiError('service_unavailable', 'An earlier request is still at work. Try again in a moment.', {
      retry_after_seconds: 1,
      cause: error,
    });
  }
}

/**
 * The answer that was given to the same request before, where there is one.
 * @throws {ApiError} 409 `idempotency_conflict` for a different request with the key
 */
export async function findStoredResponse<T>(
  deps: { db: Pick<Db, 'select'>; clock: { now(): Date } },
  request: IdempotentRequest,
): Promise<StoredResponse<T> | undefined> {
  const [row] = await deps.db
    .select()
    .from(idempotencyKeys)
    .where(and(requestCondition(request), gte(idempotencyKeys.created_at, retentionCutoff(deps.clock.now()))));
  return row && replayResponse<T>(row, request);
}

/** Drops the answers that are older than a day. */
export async function purgeStoredResponses(db: Db, now: Date): Promise<void> {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.created_at, retentionCutoff(now)));
}

const retentionCutoff = (now: Date) => new Date(now.getTime() - RETENTION_MS);

const requestCondition = ({ organization_id, scope, key }: IdempotentRequest) =>
  and(
    eq(idempotencyKeys.organization_id, organization_id),
    eq(idempotencyKeys.scope, scope),
    eq(idempotencyKeys.key, key),
  );

/** Takes the key for this transaction, or finds the answer that was given under it. */
async function claimKey<T>(tx: Tx, request: IdempotentRequest, now: Date): Promise<StoredResponse<T> | undefined> {
  const fresh = { ...request, status: 0, body: {}, created_at: now };
  const taken = await tx
    .insert(idempotencyKeys)
    .values(fresh)
    // Waits for a transaction that holds the key, and takes over a row that is past its day.
    .onConflictDoUpdate({
      target: [idempotencyKeys.organization_id, idempotencyKeys.scope, idempotencyKeys.key],
      set: fresh,
      setWhere: lt(idempotencyKeys.created_at, retentionCutoff(now)),
    })
    .returning({ key: idempotencyKeys.key });
  if (taken.length > 0) return undefined;
  const [row] = await tx.select().from(idempotencyKeys).where(requestCondition(request));
  if (!row) throw new Error('An idempotency key is neither free nor taken.');
  return replayResponse(row, request);
}

function replayResponse<T>(row: typeof idempotencyKeys.$inferSelect, request: IdempotentRequest): StoredResponse<T> {
  if (row.fingerprint !== request.fingerprint) {
    throw new ApiError('idempotency_conflict', 'This Idempotency-Key was used for a different request.');
  }
  // The column holds what a request of the same endpoint answered.
  return { status: row.status, body: row.body as T, replayed: true };
}
