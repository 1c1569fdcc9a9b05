import { and, eq, sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { apiKeys } from '../db/schema.ts';

/**
 * Ends a key at once; one that was ended before stays as it is.
 * @returns whether the organization has such a key
 */
export async function revokeKey(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  organization_id: string,
  key_id: string,
): Promise<boolean> {
  const revoked = await db
    .update(apiKeys)
    .set({ revoked_at: sql`coalesce(${apiKeys.revoked_at}, ${clock.now().toISOString()}::timestamptz)` })
    .where(and(eq(apiKeys.organization_id, organization_id), eq(apiKeys.id, key_id)))
    .returning({ id: apiKeys.id });
  return revoked.length > 0;
}
