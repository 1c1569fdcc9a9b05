import { eq } from 'drizzle-orm';
import type { BodyOf } from '#contract/api/endpoints.ts';
import type { ApiKey, ApiKeyCreated } from '#contract/resources/api-key.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { describeKey, parseExpiry } from './create-key.ts';
import { generateKey, hashCredential } from './key-credentials.ts';
import { limitScopes } from './limit-scopes.ts';
import { lockManagedKey } from './list-keys.ts';
import { lockOrganization } from './lock-key.ts';
import { presentKey } from './present-key.ts';
import { assertNotLastAdminKey } from './revoke-key.ts';

const HOUR_MS = 3_600_000;

/**
 * Renames a key, or changes its scopes and expiry; absent fields stay.
 * @throws {ApiError} 404 for an unknown or revoked key; 409 `last_admin_key`; 422 for an expiry in the past
 */
export async function updateKey(
  { db, clock }: Deps,
  caller: Caller,
  keyId: string,
  { name, scopes, expires_at }: BodyOf<'update_api_key'>,
): Promise<ApiKey> {
  const now = clock.now();
  const expiry = expires_at === undefined ? undefined : parseExpiry(expires_at, now);
  const restricts = (expiry !== undefined && expiry !== null) || (scopes !== undefined && scopes !== null);
  return db.transaction(async (tx) => {
    if (restricts) await lockOrganization(tx, caller.organization_id);
    const { key, person_name, role } = (await lockManagedKey(tx, caller, keyId)) ?? throwUnknown();
    if (key.revoked_at !== null) throwUnknown();
    if (key.kind === 'organization' && restricts) await assertNotLastAdminKey(tx, key);
    const next = {
      name: name ?? key.name,
      scopes: scopes === undefined ? key.scopes : limitScopes(scopes, role ?? undefined),
      expires_at: expiry === undefined ? key.expires_at : expiry,
    };
    await tx.update(apiKeys).set(next).where(eq(apiKeys.id, keyId));
    await recordAuditEvent(
      tx,
      caller,
      {
        action: 'key.updated',
        target: { type: 'key', id: keyId, name: next.name },
        before: describeKey(key),
        after: describeKey({ ...key, ...next }),
      },
      now,
    );
    return presentKey({ ...key, ...next }, person_name, now);
  });
}

/**
 * Replaces the secret of a key; the previous one stays valid for `overlap_hours`. A second rotation ends the first
 * overlap.
 * @throws {ApiError} 404 for an unknown or revoked key
 */
export async function rotateKey(
  { db, clock }: Deps,
  caller: Caller,
  keyId: string,
  overlapHours: number,
): Promise<ApiKeyCreated> {
  const now = clock.now();
  return db.transaction(async (tx) => {
    const { key, person_name } = (await lockManagedKey(tx, caller, keyId)) ?? throwUnknown();
    if (key.revoked_at !== null) throwUnknown();
    const secret = generateKey(key.kind);
    const next = {
      secret_sha256: hashCredential(secret),
      last_four: secret.slice(-4),
      previous_sha256: overlapHours === 0 ? null : key.secret_sha256,
      previous_valid_until: overlapHours === 0 ? null : new Date(now.getTime() + overlapHours * HOUR_MS),
    };
    await tx.update(apiKeys).set(next).where(eq(apiKeys.id, keyId));
    await recordAuditEvent(
      tx,
      caller,
      {
        action: 'key.rotated',
        target: { type: 'key', id: keyId, name: key.name },
        after: { overlap_hours: overlapHours },
      },
      now,
    );
    return { ...presentKey({ ...key, ...next }, person_name, now), key: secret };
  });
}

function throwUnknown(): never {
  throw new ApiError('not_found', 'Key not found.');
}
