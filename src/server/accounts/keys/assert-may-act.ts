import { eq } from 'drizzle-orm';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';

type Actor = Pick<Caller, 'scopes' | 'key_id'>;
interface Created {
  created_by: string;
}

/** Whether a key is limited to tasks or models, so that it changes only what it created itself. */
export const changesOwnOnly = ({ scopes }: Pick<Caller, 'scopes'>): boolean =>
  scopes !== null && (scopes.tasks !== null || scopes.models !== null);

/**
 * Authorizes a change of something that the caller sees.
 * @throws {ApiError} 401 for a key that is limited to tasks or models, unless it created it. Decision: Limits of a credential
 */
export function assertMayChange(caller: Actor, { created_by }: Created): void {
  if (!changesOwnOnly(caller) || created_by === caller.key_id) return;
  throw new ApiError(
    'authentication_error',
    'This key is limited to tasks or models, so it changes only what it created itself. Nothing was changed.',
  );
}

/**
 * Authorizes an act that starts orders in the name of who created a batch, with their funds and within their limits.
 * @throws {ApiError} 401 for anybody but the key that created it, its person when signed in, and administrators
 */
export async function assertMayContinue(
  tx: Pick<Db | Tx, 'select'>,
  caller: Pick<Caller, 'key_id' | 'person' | 'is_signed_in' | 'permissions'>,
  { created_by }: Created,
): Promise<void> {
  if (created_by === caller.key_id || caller.permissions.has('settings.manage')) return;
  const [owner] = await tx.select({ person_id: apiKeys.person_id }).from(apiKeys).where(eq(apiKeys.id, created_by));
  if (caller.is_signed_in && owner?.person_id === caller.person?.id) return;
  throw new ApiError(
    'authentication_error',
    'Its orders start in the name of who created this batch. Only they, signed in, and administrators can start them again.',
  );
}
