import type { Db } from '#server/platform/db/db.ts';
import { timingSafeEqual } from 'node:crypto';
import { and, eq, gt, or, sql } from 'drizzle-orm';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import { KEY_KIND_PERMISSIONS, keepsPermission, ROLE_PERMISSIONS } from '#contract/permissions.ts';
import { tags } from '#server/platform/db/schema/billing-schema.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { prepareOnce } from '#server/platform/db/prepare-once.ts';
import { apiKeys, organizations } from '#server/platform/db/schema/organization-schema.ts';
import { sessions } from '#server/platform/db/schema/session-schema.ts';
import { hashCredential, isSessionSecret } from './key-credentials.ts';
import { limitScopes } from './limit-scopes.ts';
import { SESSION_TTL_MS } from './sessions.ts';

const LAST_USED_PRECISION_MS = 60_000;
/** How long parallel requests may still send the secret before a rotation. */
const PREVIOUS_SECRET_MS = 60_000;

/** The session that a request was sent with. */
export interface UsedSession {
  row: typeof sessions.$inferSelect;
  /** Whether the request was sent with the secret before the last rotation. */
  isPrevious: boolean;
}

/**
 * Returns the caller of a key or session; null if it is unknown, revoked or expired. Every text takes the same code
 * path, so that a wrong prefix, a wrong secret and a revoked key are indistinguishable.
 */
export const findCaller = async (deps: Deps, credential: string, address = ''): Promise<Caller | null> =>
  (await findCredential(deps, credential, address))?.caller ?? null;

/** Like `findCaller`, with the session; null in it: the request was sent with a key. */
export async function findCredential(
  deps: Deps,
  credential: string,
  address: string,
): Promise<{ caller: Caller; session: UsedSession | null } | null> {
  const hash = hashCredential(credential);
  const now = deps.clock.now();
  const match = isSessionSecret(credential) ? await findSession(deps.db, hash, now) : await findKey(deps.db, hash);
  const isMatch = timingSafeEqual(Buffer.from(match?.secret_sha256 ?? '0'.repeat(hash.length)), Buffer.from(hash));
  if (!match || !isMatch || match.key.revoked_at !== null) return null;
  if (match.session && match.session.row.expires_at <= now) return null;
  if (match.expires_at !== null && match.expires_at <= now) return null;
  if (match.key.expires_at !== null && match.key.expires_at <= now) return null;
  recordUse(deps, match, address, now);
  return { caller: toCaller(match, address), session: match.session };
}

/** @param address network address of the request */
function toCaller(
  { key, person, session, members_see_own_work_only, has_tags, expires_at }: FoundCredential,
  address: string,
): Caller {
  // Sessions that were made from a key hang on the row of that key, with its limits.
  const isOwnSession = key.is_person && session !== null;
  const kindPermissions = KEY_KIND_PERMISSIONS[key.kind];
  const rolePermissions = person ? ROLE_PERMISSIONS[person.role] : kindPermissions;
  const scopes = key.is_person ? key.scopes : limitScopes(key.scopes, person?.role);
  const limits = { scopes, expires: key.expires_at !== null || expires_at !== null };
  const granted = rolePermissions.filter(
    (permission) =>
      (permission === 'account.manage' ? isOwnSession : key.is_person || kindPermissions.includes(permission)) &&
      keepsPermission(limits, permission),
  );
  return {
    organization_id: key.organization_id,
    key_id: key.id,
    key_name: key.name,
    kind: key.kind,
    person: person && {
      id: person.id,
      name: person.name,
      email: person.email,
      pending_email: person.pending_email,
      role: person.role,
    },
    is_signed_in: key.is_person,
    permissions: new Set(granted),
    scopes,
    sees_own_work_only: members_see_own_work_only && person?.role === 'member',
    has_tags,
    address,
    ...(session ? { session_id: session.row.id } : {}),
    ...(isOwnSession ? { signedInAt: session.row.created_at } : {}),
  };
}

/**
 * Returns whom a key row stands for, to act for them without their credential; null if it was revoked or has expired.
 */
export async function findKeyOwner({ db, clock }: Deps, keyId: string, address: string): Promise<Caller | null> {
  const [match] = await selectKeys(db).where(eq(apiKeys.id, keyId));
  if (!match || match.key.revoked_at !== null || match.person?.removed_at != null) return null;
  if (match.key.expires_at !== null && match.key.expires_at <= clock.now()) return null;
  return toCaller({ ...match, secret_sha256: match.key.secret_sha256, expires_at: null, session: null }, address);
}

interface FoundCredential {
  key: typeof apiKeys.$inferSelect;
  person: typeof people.$inferSelect | null;
  members_see_own_work_only: boolean;
  has_tags: boolean;
  secret_sha256: string;
  /** Of the previous secret of a key; null: it is the current one, or a session. */
  expires_at: Date | null;
  /** null: the request was sent with the key itself. */
  session: UsedSession | null;
}

const ORGANIZATION_FIELDS = {
  members_see_own_work_only: organizations.members_see_own_work_only,
  has_tags: sql<boolean>`exists (select from ${tags} where ${tags.organization_id} = ${organizations.id})`,
};

const selectKeys = (db: Deps['db']) =>
  db
    .select({ key: apiKeys, person: people, ...ORGANIZATION_FIELDS })
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.id, apiKeys.organization_id))
    .leftJoin(people, eq(people.id, apiKeys.person_id));

const keyQuery = prepareOnce((db) => {
  const hash = sql.placeholder('hash');
  return selectKeys(db)
    .where(or(eq(apiKeys.secret_sha256, hash), eq(apiKeys.previous_sha256, hash)))
    .prepare('find_key');
});

async function findKey(db: Db, hash: string): Promise<FoundCredential | undefined> {
  const [match] = await keyQuery(db).execute({ hash });
  if (!match) return undefined;
  const isCurrent = match.key.secret_sha256 === hash;
  const expiresAt = isCurrent ? null : match.key.previous_valid_until;
  return { ...match, secret_sha256: hash, expires_at: expiresAt, session: null };
}

const sessionQuery = prepareOnce((db) => {
  const hash = sql.placeholder('hash');
  const earliestRotation = sql`${sql.placeholder('earliestRotation')}::timestamptz`;
  return db
    .select({ key: apiKeys, person: people, ...ORGANIZATION_FIELDS, row: sessions })
    .from(sessions)
    .innerJoin(apiKeys, eq(apiKeys.id, sessions.key_id))
    .innerJoin(organizations, eq(organizations.id, apiKeys.organization_id))
    .leftJoin(people, eq(people.id, apiKeys.person_id))
    .where(
      or(
        eq(sessions.secret_sha256, hash),
        and(eq(sessions.previous_sha256, hash), gt(sessions.rotated_at, earliestRotation)),
      ),
    )
    .prepare('find_session');
});

async function findSession(db: Db, hash: string, now: Date): Promise<FoundCredential | undefined> {
  const earliestRotation = new Date(now.getTime() - PREVIOUS_SECRET_MS).toISOString();
  const [match] = await sessionQuery(db).execute({ hash, earliestRotation });
  if (!match) return undefined;
  const { row, ...rest } = match;
  const isPrevious = row.previous_sha256 === hash;
  const secretSha256 = isPrevious ? hash : row.secret_sha256;
  return { ...rest, secret_sha256: secretSha256, expires_at: null, session: { row, isPrevious } };
}

/** Updates run in the background: no request waits for them or fails with them. */
function recordUse({ db, log }: Deps, { key, person, session }: FoundCredential, address: string, now: Date): void {
  const isOld = (time: Date | null) => time === null || now.getTime() - time.getTime() >= LAST_USED_PRECISION_MS;
  const update = (what: string, query: PromiseLike<unknown>): void =>
    void query.then(undefined, (error: unknown) =>
      log.warn({ err: error }, `could not record the last use of ${what}`),
    );
  if (isOld(key.last_used_at))
    update('a key', db.update(apiKeys).set({ last_used_at: now }).where(eq(apiKeys.id, key.id)));
  if (person && session && isOld(person.last_active_at))
    update('an account', db.update(people).set({ last_active_at: now }).where(eq(people.id, person.id)));
  if (!session || !isOld(session.row.last_used_at)) return;
  const used = { last_used_at: now, address: address || null, expires_at: new Date(now.getTime() + SESSION_TTL_MS) };
  update('a session', db.update(sessions).set(used).where(eq(sessions.id, session.row.id)));
}
