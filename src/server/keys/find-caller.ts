import { timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Caller } from '#server/core/caller.ts';
import type { Deps } from '#server/deps.ts';
import { KEY_KIND_PERMISSIONS, READ_PERMISSIONS, ROLE_PERMISSIONS } from '#contract/permissions.ts';
import { people } from '#server/db/people-schema.ts';
import { apiKeys, organizations } from '#server/db/schema.ts';
import { sessions } from '#server/db/session-schema.ts';
import { hashCredential, isSessionSecret } from './credentials.ts';
import { extendExpiry } from './sessions.ts';

const LAST_USED_PRECISION_MS = 60_000;

/**
 * Returns the caller of a key or session; null if it is unknown, revoked or expired. Every text takes the same code
 * path, so that a wrong prefix, a wrong secret and a revoked key are indistinguishable.
 */
export async function findCaller(
  deps: Pick<Deps, 'db' | 'clock' | 'log'>,
  credential: string,
  address = '',
): Promise<Caller | null> {
  const hash = hashCredential(credential);
  const is_session = isSessionSecret(credential);
  const match = is_session ? await findSession(deps, hash) : await findKey(deps, hash);
  const is_match = timingSafeEqual(Buffer.from(match?.secret_sha256 ?? '0'.repeat(hash.length)), Buffer.from(hash));
  const now = deps.clock.now();
  if (!match || !is_match || match.key.revoked_at !== null) return null;
  if (match.expires_at !== null && match.expires_at <= now) return null;
  if (match.key.expires_at !== null && match.key.expires_at <= now) return null;
  recordUse(deps, match, now);
  return { ...toCaller(match, address), ...(is_session ? { session_sha256: match.secret_sha256 } : {}) };
}

/** @param address network address of the request */
function toCaller({ key, person, members_see_own_work_only }: FoundCredential, address: string): Caller {
  const kind_permissions = KEY_KIND_PERMISSIONS[key.kind];
  const role_permissions = person ? ROLE_PERMISSIONS[person.role] : kind_permissions;
  const granted = role_permissions.filter(
    (permission) =>
      (key.is_person || kind_permissions.includes(permission)) &&
      (!key.scopes?.read_only || READ_PERMISSIONS.includes(permission)),
  );
  return {
    organization_id: key.organization_id,
    key_id: key.id,
    key_name: key.name,
    kind: key.kind,
    person: person && { id: person.id, name: person.name, email: person.email, role: person.role },
    permissions: new Set(granted),
    scopes: key.scopes,
    sees_own_work_only: members_see_own_work_only && person?.role === 'member',
    address,
  };
}

/**
 * Returns whom a key row stands for, to act for them without their credential; null if it was revoked or has expired.
 */
export async function findKeyOwner(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key_id: string,
  address: string,
): Promise<Caller | null> {
  const [match] = await selectKeys(db).where(eq(apiKeys.id, key_id));
  if (!match || match.key.revoked_at !== null || match.person?.removed_at != null) return null;
  if (match.key.expires_at !== null && match.key.expires_at <= clock.now()) return null;
  return toCaller({ ...match, secret_sha256: match.key.secret_sha256, expires_at: null }, address);
}

interface FoundCredential {
  key: typeof apiKeys.$inferSelect;
  person: typeof people.$inferSelect | null;
  members_see_own_work_only: boolean;
  secret_sha256: string;
  /** Of the session; null: the request was sent with the key itself. */
  expires_at: Date | null;
}

const { members_see_own_work_only } = organizations;

const selectKeys = (db: Deps['db']) =>
  db
    .select({ key: apiKeys, person: people, members_see_own_work_only })
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.id, apiKeys.organization_id))
    .leftJoin(people, eq(people.id, apiKeys.person_id));

async function findKey({ db }: Pick<Deps, 'db'>, hash: string): Promise<FoundCredential | undefined> {
  const [match] = await selectKeys(db).where(eq(apiKeys.secret_sha256, hash));
  return match && { ...match, secret_sha256: match.key.secret_sha256, expires_at: null };
}

async function findSession({ db }: Pick<Deps, 'db'>, hash: string): Promise<FoundCredential | undefined> {
  const [match] = await db
    .select({ key: apiKeys, person: people, members_see_own_work_only, session: sessions })
    .from(sessions)
    .innerJoin(apiKeys, eq(apiKeys.id, sessions.key_id))
    .innerJoin(organizations, eq(organizations.id, apiKeys.organization_id))
    .leftJoin(people, eq(people.id, apiKeys.person_id))
    .where(eq(sessions.secret_sha256, hash));
  if (!match) return undefined;
  const { session, ...rest } = match;
  return { ...rest, secret_sha256: session.secret_sha256, expires_at: session.expires_at };
}

/** Updates run in the background: no request waits for them or fails with them. */
function recordUse(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { key, secret_sha256, expires_at }: FoundCredential,
  now: Date,
) {
  if (key.last_used_at === null || now.getTime() - key.last_used_at.getTime() >= LAST_USED_PRECISION_MS) {
    db.update(apiKeys)
      .set({ last_used_at: now })
      .where(eq(apiKeys.id, key.id))
      .then(undefined, (error: unknown) => log.warn({ err: error }, 'could not record the last use of a key'));
  }
  const extended = expires_at && extendExpiry(expires_at, now);
  if (extended) {
    db.update(sessions)
      .set({ expires_at: extended })
      .where(eq(sessions.secret_sha256, secret_sha256))
      .then(undefined, (error: unknown) => log.warn({ err: error }, 'could not extend a session'));
  }
}
