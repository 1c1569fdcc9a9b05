import type { BodyOf } from '#contract/api/endpoints.ts';
import { hasReadOnlyKeys, type KeyKind } from '#contract/permissions.ts';
import type { ApiKeyCreated, KeyScopes } from '#contract/resources/api-key.ts';
import { type AuditActor, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Clock } from '#server/platform/core/clock.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { hashCredential, generateKey } from './key-credentials.ts';
import { limitScopes } from './limit-scopes.ts';
import { type KeyRow, presentKey } from './present-key.ts';

export interface KeyDraft {
  organization_id: string;
  name: string;
  kind: KeyKind;
  key?: string | undefined;
  person?: { id: string; name: string } | null;
  is_person?: boolean;
  scopes?: KeyScopes | null;
  expires_at?: Date | null;
}

/** Only this result contains the key itself. */
export async function createKey(
  { db, clock }: { db: Db | Tx; clock: Clock },
  { key: given, person = null, is_person = false, scopes = null, expires_at = null, ...draft }: KeyDraft,
): Promise<ApiKeyCreated> {
  const now = clock.now();
  const key = given ?? generateKey(draft.kind);
  const [row] = await db
    .insert(apiKeys)
    .values({
      ...draft,
      id: createId('key', now),
      secret_sha256: hashCredential(key),
      last_four: key.slice(-4),
      person_id: person?.id ?? null,
      is_person,
      scopes,
      expires_at,
      created_at: now,
    })
    .returning();
  if (!row) throw new Error('The insert of a key returned no row.');
  return { ...presentKey(row, person?.name ?? null, now), key };
}

/**
 * Creates a key for a caller; theirs, or a program's. One of an auditor has all that they read, whatever its scopes.
 * @throws {ApiError} 401 if it could do more than the caller; 422 for an expiry in the past
 */
export async function createKeyFor(
  deps: Deps,
  caller: Caller,
  { name, kind, owner, scopes = null, expires_at = null }: BodyOf<'create_api_key'>,
): Promise<ApiKeyCreated> {
  const isOwn = owner === 'me' || !caller.permissions.has('keys.manage');
  if (isOwn && caller.person === null) {
    const message = 'This key belongs to a program, so it cannot own another one.';
    throw new ApiError('invalid_request', message, { status: 422, details: [{ path: 'owner', message }] });
  }
  if (owner === 'program' && isOwn) {
    throw new ApiError('authentication_error', 'Only administrators create keys for programs.');
  }
  const isReadOnly = isOwn && hasReadOnlyKeys(caller.person?.role);
  if (kind === 'organization' && !caller.permissions.has('keys.manage') && !isReadOnly) {
    throw new ApiError('authentication_error', 'Only administrators create organization keys.');
  }
  const now = deps.clock.now();
  const expiry = parseExpiry(expires_at, now);
  const person = isOwn ? caller.person : null;
  const limited = limitScopes(scopes, person?.role);
  return createRecordedKey(deps, caller, { name, kind, person, scopes: limited, expires_at: expiry });
}

/** Creates a key in the organization of an actor, with its event in the audit log. */
export async function createRecordedKey(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: AuditActor,
  draft: Omit<KeyDraft, 'organization_id'>,
): Promise<ApiKeyCreated> {
  return db.transaction(async (tx) => {
    const created = await createKey({ db: tx, clock }, { ...draft, organization_id: actor.organization_id });
    const { name, kind, scopes = null, expires_at = null, person } = draft;
    const target = { type: 'key', id: created.id, name };
    const after = describeKey({ name, kind, scopes, expires_at, person_id: person?.id ?? null });
    await recordAuditEvent(tx, actor, { action: 'key.created', target, after }, clock.now());
    return created;
  });
}

/** @throws {ApiError} 422 `invalid_request` for a time in the past */
export function parseExpiry(expiresAt: string | null, now: Date): Date | null {
  if (expiresAt === null) return null;
  const expiry = new Date(expiresAt);
  if (expiry > now) return expiry;
  const message = 'Choose a time in the future.';
  throw new ApiError('invalid_request', message, { status: 422, details: [{ path: 'expires_at', message }] });
}

/** What the audit log says of a key. */
export const describeKey = ({
  name,
  kind,
  scopes,
  expires_at,
  person_id,
}: Pick<KeyRow, 'name' | 'kind' | 'scopes' | 'expires_at' | 'person_id'>) => ({
  name,
  kind,
  scopes,
  expires_at: expires_at?.toISOString() ?? null,
  person_id,
});
