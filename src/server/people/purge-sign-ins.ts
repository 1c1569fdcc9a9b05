import { lte } from 'drizzle-orm';
import { deleteInBatches } from '#server/db/delete-batches.ts';
import { signInChallenges } from '#server/db/people-schema.ts';
import { sessions, signInTokens } from '#server/db/session-schema.ts';
import type { Deps } from '#server/deps.ts';

/** Deletes sessions, sign-in links and challenges that have expired. @returns the number of rows */
export async function purgeSignIns({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now();
  let purged = 0;
  for (const table of [sessions, signInTokens, signInChallenges])
    purged += await deleteInBatches(db, table, lte(table.expires_at, now));
  return purged;
}
