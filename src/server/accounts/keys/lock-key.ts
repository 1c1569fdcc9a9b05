import { eq } from 'drizzle-orm';
import type { Tx } from '#server/platform/db/db.ts';
import { apiKeys, organizations } from '#server/platform/db/schema/organization-schema.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { sqlStateOf } from '#server/platform/db/postgres/sql-state.ts';

/** Serializes changes of who and which keys administer an organization. Call it first in the transaction. */
export async function lockOrganization(tx: Tx, organizationId: string): Promise<void> {
  await tx.select().from(organizations).where(eq(organizations.id, organizationId)).for('no key update');
}

/**
 * Locks a key for the rest of the transaction, so that its work is queued in order and nothing is queued after it is
 * revoked.
 * @throws {ApiError} 401 `authentication_error` if it was revoked since the request began
 */
export const lockKey = (tx: Tx, keyId: string): Promise<void> => assertActive(tx, keyId, 'no key update');

/** Prevents the key from being revoked before the transaction ends. @throws {ApiError} like `lockKey` */
export const assertActiveKey = (tx: Tx, keyId: string): Promise<void> => assertActive(tx, keyId, 'share');

async function assertActive(tx: Tx, keyId: string, strength: 'no key update' | 'share'): Promise<void> {
  const { revoked_at } = apiKeys;
  const [key] = await tx.select({ revoked_at }).from(apiKeys).where(eq(apiKeys.id, keyId)).for(strength);
  if (key?.revoked_at != null) throw revokedKeyError();
}

/** Error of the database function `next_turn`. */
const REVOKED_KEY = 'EM006';

/** Runs a statement that calls `next_turn`. @throws {ApiError} like `lockKey` */
export async function withKeyLock<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw sqlStateOf(error) === REVOKED_KEY ? revokedKeyError(error) : error;
  }
}

const revokedKeyError = (cause?: unknown) =>
  new ApiError('authentication_error', 'This key has been revoked.', { cause });
