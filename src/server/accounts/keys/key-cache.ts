import { isNull } from 'drizzle-orm';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { sessions } from '#server/platform/db/schema/session-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { hashCredential } from './key-credentials.ts';

const REFRESH_MS = 1_000;

export interface KeyCache {
  /** Returns whether a key or session was valid at most a second ago, without a query per call: wrong keys cost nothing either. */
  has(key: string): Promise<boolean>;
}

export function createKeyCache({ db, clock }: Deps): KeyCache {
  let hashes: Set<string> = new Set();
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  async function read(): Promise<void> {
    const { secret_sha256, previous_sha256 } = apiKeys;
    const keys = await db.select({ secret_sha256, previous_sha256 }).from(apiKeys).where(isNull(apiKeys.revoked_at));
    const open = await db
      .select({ secret_sha256: sessions.secret_sha256, previous_sha256: sessions.previous_sha256 })
      .from(sessions);
    hashes = new Set(
      [...keys, ...open].flatMap((row) => [row.secret_sha256, row.previous_sha256 ?? row.secret_sha256]),
    );
    readAtMs = clock.now().getTime();
  }
  return {
    async has(key) {
      const hash = hashCredential(key);
      if (hashes.has(hash)) return true;
      if (clock.now().getTime() - readAtMs >= REFRESH_MS) {
        reading ??= read().finally(() => (reading = null));
        await reading;
      }
      return hashes.has(hash);
    },
  };
}
