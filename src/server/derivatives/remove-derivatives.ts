import { and, eq, inArray, isNull, notExists, sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import type { Db, Tx } from '../db/db.ts';
import { mediaDerivations, mediaDerivatives } from '../db/derivative-schema.ts';
import { assets, uploads } from '../db/schema.ts';
import { pagesOf } from './pages-of.ts';

type Removing = Pick<Deps, 'db' | 'storage' | 'log'>;

/** Removes the small copies of stored files that no medium names any more. A file that can't go now is left to the sweeper. */
export async function removeDerivatives(deps: Removing, source_keys: readonly string[]): Promise<number> {
  if (source_keys.length === 0) return 0;
  const of_these = inArray(mediaDerivations.source_key, [...source_keys]);
  const storage_keys = await deps.db.transaction(async (tx) => {
    const dead = await tx
      .select()
      .from(mediaDerivations)
      .where(and(of_these, isUnnamed(tx)))
      .for('update');
    const keys = dead.map(({ source_key }) => source_key);
    if (keys.length === 0) return [];
    const copies = await tx.select().from(mediaDerivatives).where(inArray(mediaDerivatives.source_key, keys));
    await tx.delete(mediaDerivations).where(inArray(mediaDerivations.source_key, keys));
    return copies.map(({ storage_key }) => storage_key);
  });
  const left = await Promise.allSettled(storage_keys.map((key) => deps.storage.delete(key)));
  const failed = left.find((result) => result.status === 'rejected');
  if (failed) deps.log.warn({ err: failed.reason }, 'files left behind');
  return storage_keys.length;
}

/** The same for all that were missed. @returns how many files */
export async function removeStrayDerivatives(deps: Removing): Promise<number> {
  const { source_key } = mediaDerivations;
  let removed = 0;
  for await (const page of pagesOf(deps.db, mediaDerivations, source_key)) {
    const dead = await deps.db
      .select({ source_key })
      .from(mediaDerivations)
      .where(and(page, isUnnamed(deps.db)));
    removed += await removeDerivatives(
      deps,
      dead.map((row) => row.source_key),
    );
  }
  return removed;
}

/** No asset and no upload that is there names the original. */
const isUnnamed = (db: Db | Tx) =>
  and(
    ...[assets, uploads].map((media) =>
      notExists(
        db
          .select({ one: sql`1` })
          .from(media)
          .where(and(eq(media.storage_key, mediaDerivations.source_key), isNull(media.removed_at))),
      ),
    ),
  );
