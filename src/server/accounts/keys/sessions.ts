import { and, desc, eq, gt, isNull, lte, notInArray, or } from 'drizzle-orm';
import type { SessionCreated, SignInMethod } from '#contract/resources/session.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Clock } from '#server/platform/core/clock.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { sessions } from '#server/platform/db/schema/session-schema.ts';
import { hashCredential, generateSessionSecret } from './key-credentials.ts';

const DAY_MS = 86_400_000;
export const SESSION_TTL_MS = 30 * DAY_MS;
const MAX_SESSIONS_PER_KEY = 100;
const MAX_USER_AGENT = 300;

export interface SessionOrigin {
  method: SignInMethod;
  address?: string | null;
  user_agent?: string | null;
}

export type NewSession = SessionCreated & { secret: string };

/** Only this result contains the secret. @returns null if the key is unknown, revoked or expired */
export async function createSession(
  { db, clock }: { db: Db | Tx; clock: Clock },
  keyId: string,
  { method, address = null, user_agent = null }: SessionOrigin,
): Promise<NewSession | null> {
  const createdAt = clock.now();
  const hasTimeLeft = or(isNull(apiKeys.expires_at), gt(apiKeys.expires_at, createdAt));
  const [key] = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), isNull(apiKeys.revoked_at), hasTimeLeft));
  if (!key) return null;
  const expiresAt = new Date(createdAt.getTime() + SESSION_TTL_MS);
  const secret = generateSessionSecret();
  const newest = db
    .select({ secret_sha256: sessions.secret_sha256 })
    .from(sessions)
    .where(eq(sessions.key_id, keyId))
    .orderBy(desc(sessions.expires_at))
    .limit(MAX_SESSIONS_PER_KEY - 1);
  await db
    .delete(sessions)
    .where(
      or(
        lte(sessions.expires_at, createdAt),
        and(eq(sessions.key_id, keyId), notInArray(sessions.secret_sha256, newest)),
      ),
    );
  await db.insert(sessions).values({
    secret_sha256: hashCredential(secret),
    id: createId('ses', createdAt),
    key_id: keyId,
    method,
    address,
    user_agent: user_agent?.slice(0, MAX_USER_AGENT) ?? null,
    rotated_at: createdAt,
    last_used_at: createdAt,
    created_at: createdAt,
    expires_at: expiresAt,
  });
  return {
    object: 'session',
    secret,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

export async function deleteSession({ db }: { db: Db | Tx }, sessionId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId));
}
