import { and, asc, eq, gt, inArray, lte, notExists, type SQL, sql } from 'drizzle-orm';
import type { Deps } from '#server/platform/deps.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { derivativeJobs, mediaDerivatives } from '#server/platform/db/schema/derivative-schema.ts';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import { isStored } from '#server/studio/assets/find-stored-media.ts';

const PAGE_ROWS = 10_000;

/** Deletes the derivatives of stored files that no medium references any more. The sweeper deletes what fails here. */
export async function deleteDerivatives(deps: Deps, sourceKeys: readonly string[]): Promise<number> {
  if (sourceKeys.length === 0) return 0;
  const isListed = inArray(derivativeJobs.source_key, [...sourceKeys]);
  const storageKeys = await deps.db.transaction(async (tx) => {
    const orphaned = await tx
      .select()
      .from(derivativeJobs)
      .where(and(isListed, isOrphaned(tx)))
      .for('update');
    const keys = orphaned.map(({ source_key }) => source_key);
    if (keys.length === 0) return [];
    const copies = await tx.select().from(mediaDerivatives).where(inArray(mediaDerivatives.source_key, keys));
    await tx.delete(derivativeJobs).where(inArray(derivativeJobs.source_key, keys));
    return copies.map(({ storage_key }) => storage_key);
  });
  const results = await Promise.allSettled(storageKeys.map((key) => deps.storage.delete(key)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) deps.log.warn({ err: failed.reason }, 'could not delete derivatives');
  return storageKeys.length;
}

export async function deleteOrphanedDerivatives(deps: Deps): Promise<number> {
  const { source_key } = derivativeJobs;
  let removed = 0;
  for await (const page of jobPages(deps.db)) {
    const orphaned = await deps.db
      .select({ source_key })
      .from(derivativeJobs)
      .where(and(page, isOrphaned(deps.db)));
    removed += await deleteDerivatives(
      deps,
      orphaned.map((row) => row.source_key),
    );
  }
  return removed;
}

/** Divides the jobs into pages, so that no statement blocks the embedded database; may miss rows inserted meanwhile. */
async function* jobPages(db: Db): AsyncGenerator<SQL | undefined> {
  const column = derivativeJobs.source_key;
  for (let after = ''; ;) {
    const [last] = await db
      .select({ value: column })
      .from(derivativeJobs)
      .where(gt(column, after))
      .orderBy(asc(column))
      .offset(PAGE_ROWS - 1)
      .limit(1);
    yield and(gt(column, after), last ? lte(column, last.value) : undefined);
    if (!last) return;
    after = last.value;
  }
}

const isOrphaned = (db: Db | Tx) =>
  and(
    ...[assets, uploads].map((media) =>
      notExists(
        db
          .select({ one: sql`1` })
          .from(media)
          .where(and(eq(media.storage_key, derivativeJobs.source_key), isStored(media))),
      ),
    ),
  );
