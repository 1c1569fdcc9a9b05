import { timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { apiKeys } from '../db/schema.ts';
import { hashKey } from './key-text.ts';

const USED_PRECISION_MS = 60_000;

/**
 * Who a key belongs to; null where it is unknown or revoked. Every text takes the same way, so that a wrong prefix, a
 * wrong secret and a revoked key look alike.
 */
export async function findCaller(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  key: string,
): Promise<Caller | null> {
  const hash = hashKey(key);
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.secret_sha256, hash));
  const known = timingSafeEqual(Buffer.from(row?.secret_sha256 ?? '0'.repeat(hash.length)), Buffer.from(hash));
  if (!row || !known || row.revoked_at !== null) return null;
  const now = clock.now();
  if (row.last_used_at === null || now.getTime() - row.last_used_at.getTime() >= USED_PRECISION_MS) {
    // No request waits for it, and none fails with it.
    db.update(apiKeys)
      .set({ last_used_at: now })
      .where(eq(apiKeys.id, row.id))
      .then(undefined, (error: unknown) => log.warn({ err: error }, 'last use of a key was not noted'));
  }
  return { organization_id: row.organization_id, key_id: row.id, key_name: row.name, kind: row.kind };
}
