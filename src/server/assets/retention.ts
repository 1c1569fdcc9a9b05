import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
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
 * Removes uploads and assets older than `MEDIA_TTL_DAYS`; generations keep their records. The bytes of a medium that an
 * active generation uses stay until that completes.
 * @returns the number of media
 */
export async function removeExpiredMedia(deps: RetentionDeps): Promise<number> {
  const now = deps.clock.now();
  const since = retentionCutoff(deps.config, now);
  if (since === null) return 0;
  let removed = 0;
  for (const remove of [removeOldUploads, removeOldAssets]) {
    for (let count = BATCH_SIZE; count === BATCH_SIZE; removed += count) {
      const storage_keys = await deps.db.transaction((tx) => remove(tx, since, now));
      await deleteUnreferencedFiles(deps, storage_keys);
      count = storage_keys.length;
    }
  }
  return removed;
}

/** Media of orders that wait for an approval stay. Decision: Approvals */
const isNotAwaited = (id: typeof uploads.id | typeof assets.id) =>
  sql`not exists (select 1 from requests where requests.status = 'pending' and ${id} = any (requests.media_ids))`;

async function removeOldUploads(tx: Tx, since: Date, now: Date): Promise<string[]> {
  const expired = await tx
    .select({ id: uploads.id, storage_key: uploads.storage_key })
    .from(uploads)
    .where(and(isNull(uploads.removed_at), lt(uploads.created_at, since), isNotAwaited(uploads.id)))
    .orderBy(asc(uploads.id))
    .limit(BATCH_SIZE)
    .for('update');
  await removeUploads(tx, expired, now);
  return expired.map(({ storage_key }) => storage_key);
}

/** Skips outputs that are held for a review, because they may still be approved. */
async function removeOldAssets(tx: Tx, since: Date, now: Date): Promise<string[]> {
  const expired = await tx
    .select({ id: assets.id, storage_key: assets.storage_key })
    .from(assets)
    .where(
      and(isNull(assets.removed_at), lt(assets.created_at, since), eq(assets.held, false), isNotAwaited(assets.id)),
    )
    .orderBy(asc(assets.id))
    .limit(BATCH_SIZE)
    .for('update');
  const ids = expired.map(({ id }) => id);
  if (ids.length > 0) await tx.update(assets).set({ removed_at: now }).where(inArray(assets.id, ids));
  return expired.map(({ storage_key }) => storage_key);
}

/** Deletes the rows of uploads that were removed while in use and are no longer. @returns the number of uploads */
export async function purgeRemovedUploads(deps: Pick<RetentionDeps, 'db' | 'storage' | 'log'>): Promise<number> {
  let purged = 0;
  for (let after = '', count = BATCH_SIZE; count === BATCH_SIZE;) {
    const rows = await deps.db
      .select({ id: uploads.id, storage_key: uploads.storage_key })
      .from(uploads)
      .where(and(isNotNull(uploads.removed_at), gt(uploads.id, after)))
      .orderBy(asc(uploads.id))
      .limit(BATCH_SIZE);
    const in_use = await findMediaInUse(
      deps.db,
      rows.map(({ id }) => id),
    );
    const unused = rows.filter(({ id }) => !in_use.has(id));
    const ids = unused.map(({ id }) => id);
    if (ids.length > 0) await deps.db.delete(uploads).where(inArray(uploads.id, ids));
    await deleteUnreferencedFiles(
      deps,
      unused.map(({ storage_key }) => storage_key),
    );
    purged += unused.length;
    count = rows.length;
    after = rows.at(-1)?.id ?? '';
  }
  return purged;
}
