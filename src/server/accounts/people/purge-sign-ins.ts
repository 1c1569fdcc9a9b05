import { lte } from 'drizzle-orm';
import { deleteInBatches } from '#server/platform/db/delete-batches.ts';
import { signInChallenges } from '#server/platform/db/schema/people-schema.ts';
import { sessions, signInTokens } from '#server/platform/db/schema/session-schema.ts';
import type { Deps } from '#server/platform/deps.ts';

/** Deletes sessions, sign-in links and challenges that have expired. @returns the number of rows */
export async function purgeSignIns({ db, clock }: Deps): Promise<number> {
  const now = clock.now();
  let purged = 0;
  for (const table of [sessions, signInTokens, signInChallenges])
    purged += await deleteInBatches(db, table, lte(table.expires_at, now));
  return purged;
}
