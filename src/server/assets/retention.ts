import { and, asc, eq, gt, inArray, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import { assets, uploads } from '#server/db/schema.ts';
import type { Deps } from '#server/deps.ts';
import { findMediaInUse } from './media-uses.ts';
import { deleteUnreferencedFiles } from './delete-unreferenced-files.ts';
import { retentionCutoff } from './media-expiry.ts';
import { removeUploads } from './remove-uploads.ts';

type RetentionDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'storage' | 'log'>;

const BATCH_SIZE = 500;

/**
 * Removes uploads and outputs older than `MEDIA_TTL_DAYS`; of a generation its record stays. What a queued or running
 * generation needs is gone from every list like the rest, but its bytes stay until that has ended.
 * @returns how many
 */
export async function removeExpiredMedia(deps: RetentionDeps): Promise<number> {
  const now = deps.clock.now();
  const since = retentionCutoff(deps.config, now);
  if (since === null) return 0;
  let removed = 0;
  for (const remove of [removeOldUploads, removeOldAssets]) {
    for (let found = BATCH_SIZE; found === BATCH_SIZE; removed += found) {
      const storage_keys = await deps.db.transaction((tx) => remove(tx, since, now));
      await deleteUnreferencedFiles(deps, storage_keys);
      found = storage_keys.length;
    }
  }
  return removed;
}

async function removeOldUploads(tx: Tx, since: Date, now: Date): Promise<string[]> {
  const old = await tx
    .select({ id: uploads.id, storage_key: uploads.storage_key })
    .from(uploads)
    .where(and(isNull(uploads.removed_at), lt(uploads.created_at, since)))
    .orderBy(asc(uploads.id))
    .limit(BATCH_SIZE)
    .for('update');
  await removeUploads(tx, old, now);
  return old.map(({ storage_key }) => storage_key);
}

/** Not what is held for a review: whoever decides may still want it. */
async function removeOldAssets(tx: Tx, since: Date, now: Date): Promise<string[]> {
  const old = await tx
    .select({ id: assets.id, storage_key: assets.storage_key })
    .from(assets)
    .where(and(isNull(assets.removed_at), lt(assets.created_at, since), eq(assets.held, false)))
    .orderBy(asc(assets.id))
    .limit(BATCH_SIZE)
    .for('update');
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await tx.update(assets).set({ removed_at: now }).where(inArray(assets.id, ids));
  return old.map(({ storage_key }) => storage_key);
}

/** Drops the rows of uploads that were removed while a generation needed them, once it has ended. @returns how many */
export async function purgeRemovedUploads(deps: Pick<RetentionDeps, 'db' | 'storage' | 'log'>): Promise<number> {
  let purged = 0;
  for (let after = '', found = BATCH_SIZE; found === BATCH_SIZE;) {
    const rows = await deps.db
      .select({ id: uploads.id, storage_key: uploads.storage_key })
      .from(uploads)
      .where(and(isNotNull(uploads.removed_at), gt(uploads.id, after)))
      .orderBy(asc(uploads.id))
      .limit(BATCH_SIZE);
    const needed = await findMediaInUse(
      deps.db,
      rows.map(({ id }) => id),
    );
    const over = rows.filter(({ id }) => !needed.has(id));
    const ids = over.map(({ id }) => id);
    if (ids.length > 0) await deps.db.delete(uploads).where(inArray(uploads.id, ids));
    await deleteUnreferencedFiles(
      deps,
      over.map(({ storage_key }) => storage_key),
    );
    purged += over.length;
    found = rows.length;
    after = rows.at(-1)?.id ?? '';
  }
  return purged;
}
