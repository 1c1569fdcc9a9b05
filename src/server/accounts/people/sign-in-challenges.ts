import { and, eq, gt, lte } from 'drizzle-orm';
import { signInChallenges } from '#server/platform/db/schema/people-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { hashCredential } from '#server/accounts/keys/key-credentials.ts';

type ChallengeRow = typeof signInChallenges.$inferSelect;

/** Stores a challenge under a text that the browser keeps; see `signInChallenges`. */
export async function storeChallenge(
  { db, clock }: { db: Db | Tx; clock: Deps['clock'] },
  id: string,
  challenge: Pick<ChallengeRow, 'purpose' | 'value' | 'person_id'>,
  ttlMs: number,
): Promise<void> {
  const now = clock.now();
  await db.delete(signInChallenges).where(lte(signInChallenges.expires_at, now));
  const expiresAt = new Date(now.getTime() + ttlMs);
  await db.insert(signInChallenges).values({ id_sha256: hashCredential(id), ...challenge, expires_at: expiresAt });
}

/** Deletes and returns a challenge; null if it is unknown, used or expired. Of concurrent attempts, one succeeds. */
export async function takeChallenge(
  { db, clock }: Deps,
  id: string,
  purpose: ChallengeRow['purpose'],
): Promise<Pick<ChallengeRow, 'value' | 'person_id'> | null> {
  const [row] = await db
    .delete(signInChallenges)
    .where(
      and(
        eq(signInChallenges.id_sha256, hashCredential(id)),
        eq(signInChallenges.purpose, purpose),
        gt(signInChallenges.expires_at, clock.now()),
      ),
    )
    .returning({ value: signInChallenges.value, person_id: signInChallenges.person_id });
  return row ?? null;
}
