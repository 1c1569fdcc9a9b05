import { and, between, desc, eq, gte, lt, sql } from 'drizzle-orm';
import { deleteInBatches } from '#server/platform/db/delete-batches.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { idempotencyKeys } from '#server/platform/db/schema/schema.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { LOCK_NOT_AVAILABLE, sqlStateOf } from '#server/platform/db/postgres/sql-state.ts';

export interface IdempotentRequest {
  organization_id: string;
  scope: string;
  key: string;
  fingerprint: string;
}

interface Response<T> {
  status: number;
  body: T;
}

export interface StoredResponse<T> extends Response<T> {
  replayed: boolean;
}

const RETENTION_MS = 24 * 3600 * 1000;

/**
 * Runs `act` in a transaction that also stores its response under the request's key, so that a repeated request gets
 * the same response without a second effect. A repeated request waits while the first one is running. Errors are not
 * stored.
 * Decision: Idempotency
 * @param request undefined if no key was sent
 * @param expected the response, if it is known before: one statement less while other requests wait for locks
 * @throws {ApiError} 409 `idempotency_conflict` if the key was used for a different request; 503 after 5 s of waiting
 * for a lock
 */
export async function withIdempotency<T>(
  deps: { db: Db; clock: { now(): Date } },
  request: IdempotentRequest | undefined,
  act: (tx: Tx) => Promise<Response<T>>,
  expected?: Response<T>,
): Promise<StoredResponse<T>> {
  try {
    return await deps.db.transaction(async (tx) => {
      if (!request) return { ...(await act(tx)), replayed: false };
      const stored = await claimKey<T>(tx, request, expected, deps.clock.now());
      if (stored) return stored;
      const response = await act(tx);
      if (!expected) await tx.update(idempotencyKeys).set(response).where(requestCondition(request));
      return { ...response, replayed: false };
    });
  } catch (error) {
    if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new ApiError('service_unavailable', 'An earlier request is still being processed. Try again in a moment.', {
      retry_after_seconds: 1,
      cause: error,
    });
  }
}

/**
 * Returns the stored response to the same request, if there is one.
 * @throws {ApiError} 409 `idempotency_conflict` if the key was used for a different request
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

/**
 * Returns the response under the last key that is `prefix` and then hexadecimal digits, if there is one.
 * @param scope as of `idempotencyScope`
 */
export async function findLastStoredResponse<T>(
  { db, clock }: { db: Pick<Db, 'select'>; clock: { now(): Date } },
  { organization_id, scope, prefix }: { organization_id: string; scope: string; prefix: string },
): Promise<{ key: string; body: T; created_at: Date } | undefined> {
  const { key, body, created_at } = idempotencyKeys;
  const [row] = await db
    .select({ key, body, created_at })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.organization_id, organization_id),
        eq(idempotencyKeys.scope, scope),
        // The range is for the index, whatever the collation is.
        between(key, `${prefix}0`, `${prefix}g`),
        sql`starts_with(${key}, ${prefix})`,
        gte(created_at, retentionCutoff(clock.now())),
      ),
    )
    .orderBy(desc(key))
    .limit(1);
  // The column holds a response of the same endpoint.
  return row && { ...row, body: row.body as T };
}

/** @returns the number of responses */
export const purgeStoredResponses = (db: Db, now: Date): Promise<number> =>
  deleteInBatches(db, idempotencyKeys, lt(idempotencyKeys.created_at, retentionCutoff(now)));

const retentionCutoff = (now: Date) => new Date(now.getTime() - RETENTION_MS);

const requestCondition = ({ organization_id, scope, key }: IdempotentRequest) =>
  and(
    eq(idempotencyKeys.organization_id, organization_id),
    eq(idempotencyKeys.scope, scope),
    eq(idempotencyKeys.key, key),
  );

/** Claims the key for this transaction, or returns the response stored under it. */
async function claimKey<T>(
  tx: Tx,
  request: IdempotentRequest,
  { status, body }: Response<unknown> = { status: 0, body: {} },
  now: Date,
): Promise<StoredResponse<T> | undefined> {
  const rowValues = { ...request, status, body, created_at: now };
  const claimed = await tx
    .insert(idempotencyKeys)
    .values(rowValues)
    // Waits for a transaction that holds the key, and replaces an expired row.
    .onConflictDoUpdate({
      target: [idempotencyKeys.organization_id, idempotencyKeys.scope, idempotencyKeys.key],
      set: rowValues,
      setWhere: lt(idempotencyKeys.created_at, retentionCutoff(now)),
    })
    .returning({ key: idempotencyKeys.key })
    .prepare('claim_idempotency_key')
    .execute();
  if (claimed.length > 0) return undefined;
  const [row] = await tx.select().from(idempotencyKeys).where(requestCondition(request));
  if (!row) throw new Error('An idempotency key was neither claimed nor found.');
  return replayResponse(row, request);
}

function replayResponse<T>(row: typeof idempotencyKeys.$inferSelect, request: IdempotentRequest): StoredResponse<T> {
  if (row.fingerprint !== request.fingerprint) {
    throw new ApiError('idempotency_conflict', 'This Idempotency-Key was used for a different request.');
  }
  // The column holds a response of the same endpoint.
  return { status: row.status, body: row.body as T, replayed: true };
}
