import { and, eq } from 'drizzle-orm';
import { sessions } from '#server/platform/db/schema/session-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { hashCredential, sessionSecret } from './key-credentials.ts';
import type { UsedSession } from './find-caller.ts';

const ROTATION_INTERVAL_MS = 86_400_000;

/**
 * Returns the secret that replaces the one of a request; null to keep it. A session's secret changes daily. Secrets are
 * derived, so that a browser that lost the response of the rotation gets the new one while the previous is accepted.
 */
export async function rotateSession(
  { db, clock, secrets }: Deps,
  { row, isPrevious }: UsedSession,
): Promise<string | null> {
  const textOf = (rotatedAt: Date) => JSON.stringify([row.id, rotatedAt.getTime()]);
  if (isPrevious) {
    const candidates = secrets.signWithEach('session', textOf(row.rotated_at)).map((text) => sessionSecret(text));
    return candidates.find((candidate) => hashCredential(candidate) === row.secret_sha256) ?? null;
  }
  const now = clock.now();
  if (now.getTime() - row.rotated_at.getTime() < ROTATION_INTERVAL_MS) return null;
  const secret = sessionSecret(secrets.sign('session', textOf(now)));
  const [rotated] = await db
    .update(sessions)
    .set({ secret_sha256: hashCredential(secret), previous_sha256: row.secret_sha256, rotated_at: now })
    .where(and(eq(sessions.id, row.id), eq(sessions.secret_sha256, row.secret_sha256)))
    .returning({ id: sessions.id });
  return rotated ? secret : null;
}
