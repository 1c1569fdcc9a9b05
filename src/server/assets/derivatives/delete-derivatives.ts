import { and, eq, inArray, isNull, notExists, sql } from 'drizzle-orm';
import type { Deps } from '#server/deps.ts';
import type { Db, Tx } from '#server/db/db.ts';
import { derivativeJobs, mediaDerivatives } from '#server/db/derivative-schema.ts';
import { assets, uploads } from '#server/db/schema.ts';
import { tablePages } from './table-pages.ts';

type DeleteDerivativesDeps = Pick<Deps, 'db' | 'storage' | 'log'>;

/** Removes the small copies of stored files that no medium names any more. A file that can't go now is left to the sweeper. */
export async function deleteDerivatives(deps: DeleteDerivativesDeps, source_keys: readonly string[]): Promise<number> {
  if (source_keys.length === 0) return 0;
  const of_these = inArray(derivativeJobs.source_key, [...source_keys]);
  const storage_keys = await deps.db.transaction(async (tx) => {
    const dead = await tx
      .select()
      .from(derivativeJobs)
      .where(and(of_these, isOrphaned(tx)))
      .for('update');
    const keys = dead.map(({ source_key }) => source_key);
    if (keys.length === 0) return [];
    const copies = await tx.select().from(mediaDerivatives).where(inArray(mediaDerivatives.source_key, keys));
    await tx.delete(derivativeJobs).where(inArray(derivativeJobs.source_key, keys));
    return copies.map(({ storage_key }) => storage_key);
  });
  const left = await Promise.allSettled(storage_keys.map((key) => deps.storage.delete(key)));
  const failed = left.find((result) => result.status === 'rejected');
  if (failed) deps.log.warn({ err: failed.reason }, 'files left behind');
  return storage_keys.length;
}

/** The same for all that were missed. @returns how many files */
export async function deleteOrphanedDerivatives(deps: DeleteDerivativesDeps): Promise<number> {
  const { source_key } = derivativeJobs;
  let removed = 0;
  for await (const page of tablePages(deps.db, derivativeJobs, source_key)) {
    const dead = await deps.db
      .select({ source_key })
      .from(derivativeJobs)
      .where(and(page, isOrphaned(deps.db)));
    removed += await deleteDerivatives(
      deps,
      dead.map((row) => row.source_key),
    );
  }
  return removed;
}

/** No asset and no upload that is there names the original. */
const isOrphaned = (db: Db | Tx) =>
  and(
    ...[assets, uploads].map((media) =>
      notExists(
        db
          .select({ one: sql`1` })
          .from(media)
          .where(and(eq(media.storage_key, derivativeJobs.source_key), isNull(media.removed_at))),
      ),
    ),
  );
