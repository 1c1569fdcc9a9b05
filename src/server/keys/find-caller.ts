import { timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Caller } from '#server/core/caller.ts';
import type { Deps } from '#server/deps.ts';
import { apiKeys } from '#server/db/schema.ts';
import { sessions } from '#server/db/session-schema.ts';
import { hashCredential, isSessionSecret } from './credentials.ts';
import { extendExpiry } from './sessions.ts';

const LAST_USED_PRECISION_MS = 60_000;

/**
 * Returns the caller of a key or session; null if it is unknown, revoked or expired. Every text takes the same code
 * path, so that a wrong prefix, a wrong secret and a revoked key are indistinguishable.
 */
export async function findCaller(deps: Pick<Deps, 'db' | 'clock' | 'log'>, credential: string): Promise<Caller | null> {
  const { clock } = deps;
  const hash = hashCredential(credential);
  const is_session = isSessionSecret(credential);
  const match = is_session ? await findSession(deps, hash) : await findKey(deps, hash);
  const is_match = timingSafeEqual(Buffer.from(match?.secret_sha256 ?? '0'.repeat(hash.length)), Buffer.from(hash));
  const now = clock.now();
  if (!match || !is_match || match.key.revoked_at !== null) return null;
  if (match.expires_at !== null && match.expires_at <= now) return null;
  recordUse(deps, match, now);
  const { key } = match;
  return {
    organization_id: key.organization_id,
    key_id: key.id,
    key_name: key.name,
    kind: key.kind,
    ...(is_session ? { session_sha256: match.secret_sha256 } : {}),
  };
}

interface FoundCredential {
  key: typeof apiKeys.$inferSelect;
  secret_sha256: string;
  /** null: a key, which does not expire. */
  expires_at: Date | null;
}

async function findKey({ db }: Pick<Deps, 'db'>, hash: string): Promise<FoundCredential | undefined> {
  const [key] = await db.select().from(apiKeys).where(eq(apiKeys.secret_sha256, hash));
  return key && { key, secret_sha256: key.secret_sha256, expires_at: null };
}

async function findSession({ db }: Pick<Deps, 'db'>, hash: string): Promise<FoundCredential | undefined> {
  const [match] = await db
    .select({ key: apiKeys, session: sessions })
    .from(sessions)
    .innerJoin(apiKeys, eq(apiKeys.id, sessions.key_id))
    .where(eq(sessions.secret_sha256, hash));
  return match && { key: match.key, ...match.session };
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
