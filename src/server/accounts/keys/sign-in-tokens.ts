import { and, desc, eq, gt, lte, notInArray, or } from 'drizzle-orm';
import type { Clock } from '#server/platform/core/clock.ts';
import type { Config } from '#server/platform/core/settings/config.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { signInTokens } from '#server/platform/db/schema/session-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { hashCredential, generateSignInToken } from './key-credentials.ts';
import { openSession } from './open-session.ts';
import type { NewSession, SessionOrigin } from './sessions.ts';

const MINUTE_MS = 60_000;
/**
 * A link from the first start or for a colleague is valid longer than one that is opened by the person who requested
 * it.
 */
export const SIGN_IN_TTL_MS = { shared: 24 * 60 * MINUTE_MS, shell: 15 * MINUTE_MS, device: 5 * MINUTE_MS } as const;
const MAX_TOKENS_PER_KEY = 20;

/**
 * Only this result contains the token.
 * @param email where it will be mailed to; null: it is shown
 */
export async function createSignInToken(
  { db, clock }: { db: Db | Tx; clock: Clock },
  keyId: string,
  ttlMs: number,
  email: string | null = null,
): Promise<{ token: string; expires_at: Date }> {
  const now = clock.now();
  const token = generateSignInToken();
  const expiresAt = new Date(now.getTime() + ttlMs);
  const newest = db
    .select({ token_sha256: signInTokens.token_sha256 })
    .from(signInTokens)
    .where(eq(signInTokens.key_id, keyId))
    .orderBy(desc(signInTokens.created_at))
    .limit(MAX_TOKENS_PER_KEY - 1);
  await db
    .delete(signInTokens)
    .where(
      or(
        lte(signInTokens.expires_at, now),
        and(eq(signInTokens.key_id, keyId), notInArray(signInTokens.token_sha256, newest)),
      ),
    );
  const tokenSha256 = hashCredential(token);
  await db
    .insert(signInTokens)
    .values({ token_sha256: tokenSha256, key_id: keyId, email, created_at: now, expires_at: expiresAt });
  return { token, expires_at: expiresAt };
}

/** Puts the token into the fragment, which browsers do not send to servers or proxies. */
export const buildSignInUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, token: string): string =>
  `${publicUrl}/sign-in#token=${token}`;

/**
 * Exchanges a token for a session. Of concurrent attempts, one succeeds.
 * @returns null if the token is unknown, used or expired, or its key is revoked or expired; the cases are indistinguishable
 */
export async function exchangeSignInToken(
  { db, clock }: Deps,
  token: string,
  origin: Omit<SessionOrigin, 'method'> = {},
): Promise<NewSession | null> {
  return db.transaction(async (tx) => {
    const [tokenRow] = await tx
      .delete(signInTokens)
      .where(and(eq(signInTokens.token_sha256, hashCredential(token)), gt(signInTokens.expires_at, clock.now())))
      .returning({ key_id: signInTokens.key_id, email: signInTokens.email });
    if (!tokenRow) return null;
    if (tokenRow.email !== null) {
      // A link to an address that was replaced since no longer signs in.
      const isTheirs = and(eq(people.key_id, tokenRow.key_id), eq(people.email, tokenRow.email));
      if ((await tx.$count(people, isTheirs)) === 0) return null;
    }
    return openSession({ tx, clock }, tokenRow.key_id, { method: 'link', ...origin });
  });
}
