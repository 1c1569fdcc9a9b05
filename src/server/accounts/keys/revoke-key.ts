import { type SQL, and, eq, isNull, ne, sql } from 'drizzle-orm';
import { type AuditActor, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { lockOrganization } from './lock-key.ts';

type KeyRow = typeof apiKeys.$inferSelect;

/**
 * Revokes a key immediately; revoking it again has no effect.
 * @returns null if the organization has no such key
 * @throws {ApiError} 409 `last_admin_key` for the last organization key of an organization without administrators
 */
export async function revokeKey({ db, clock }: Deps, actor: AuditActor, keyId: string): Promise<KeyRow | null> {
  const { organization_id } = actor;
  return db.transaction(async (tx) => {
    await lockOrganization(tx, organization_id);
    const own = and(eq(apiKeys.organization_id, organization_id), eq(apiKeys.id, keyId));
    const [key] = await tx.select().from(apiKeys).where(own);
    if (!key) return null;
    if (key.kind === 'organization' && key.revoked_at === null) await assertNotLastAdminKey(tx, key);
    const now = clock.now();
    const [revoked] = await tx
      .update(apiKeys)
      .set({ revoked_at: sql`coalesce(${apiKeys.revoked_at}, ${now.toISOString()}::timestamptz)` })
      .where(own)
      .returning();
    if (key.revoked_at === null) {
      const target = { type: 'key', id: key.id, name: key.name };
      await recordAuditEvent(tx, actor, { action: 'key.revoked', target }, now);
    }
    return revoked ?? null;
  });
}

/** The condition for keys of programs that can do everything and do not expire. */
export const isLastingAdminKey = (organizationId: string): SQL | undefined =>
  and(
    eq(apiKeys.organization_id, organizationId),
    eq(apiKeys.kind, 'organization'),
    isNull(apiKeys.revoked_at),
    isNull(apiKeys.person_id),
    isNull(apiKeys.expires_at),
    isNull(apiKeys.scopes),
  );

/** Under the lock of the organization. Decision: Revoked keys */
export async function assertNotLastAdminKey(tx: Tx, { id, organization_id, name }: KeyRow): Promise<void> {
  const isOther = and(isLastingAdminKey(organization_id), ne(apiKeys.id, id));
  if ((await tx.$count(apiKeys, isOther)) > 0) return;
  const isAdministrator = and(
    eq(people.organization_id, organization_id),
    eq(people.role, 'administrator'),
    isNull(people.removed_at),
  );
  if ((await tx.$count(people, isAdministrator)) > 0) return;
  throw new ApiError(
    'last_admin_key',
    `“${name}” is the last organization key. Create another organization key first, then revoke this one.`,
  );
}
