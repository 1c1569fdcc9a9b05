import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, or } from 'drizzle-orm';
import { TRASH_DAYS } from '#contract/limits.ts';
import type { Config } from '#server/platform/core/settings/config.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isNotAwaited } from './awaited-media.ts';
import { findMediaInUse } from './media-uses.ts';
import { deleteUnreferencedFiles } from './orphans.ts';
import { removeMedia } from './lock-media.ts';
import { deleteOldReceivedFiles } from './received-files.ts';

const DAY_MS = 86_400_000;

/**
 * Removal waits for a generation that uses it. Decision: Retention @returns ISO 8601, UTC; null if media do not expire
 */
export const mediaExpiresAt = ({ mediaTtlDays }: Pick<Config, 'mediaTtlDays'>, createdAt: Date): string | null =>
  mediaTtlDays === 0 ? null : new Date(createdAt.getTime() + mediaTtlDays * DAY_MS).toISOString();

/** @returns ISO 8601, UTC: when a file that is in the trash is deleted */
export function trashExpiresAt(config: Pick<Config, 'mediaTtlDays'>, media: { created_at: Date; trashed_at: Date }) {
  const at = new Date(media.trashed_at.getTime() + TRASH_DAYS * DAY_MS).toISOString();
  const expiresAt = mediaExpiresAt(config, media.created_at);
  return expiresAt !== null && expiresAt < at ? expiresAt : at;
}

/** Media created before this time have expired; null if media do not expire. */
const retentionCutoff = ({ mediaTtlDays }: Pick<Config, 'mediaTtlDays'>, now: Date): Date | null =>
  mediaTtlDays === 0 ? null : new Date(now.getTime() - mediaTtlDays * DAY_MS);

const BATCH_SIZE = 500;

/** Generations keep their records, and media in use their bytes. @returns the number of media */
export async function removeExpiredMedia(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  const since = retentionCutoff(deps.config, now);
  if (since === null) return 0;
  let removed = 0;
  for (const remove of [removeOldUploads, removeOldAssets, removeOldFiles]) {
    for (let count = BATCH_SIZE; count === BATCH_SIZE; removed += count) {
      const storageKeys = await deps.db.transaction((tx) => remove(tx, since, now));
      await deleteUnreferencedFiles(deps, storageKeys);
      count = storageKeys.length;
    }
  }
  return removed;
}

async function removeOldUploads(tx: Tx, since: Date, now: Date): Promise<string[]> {
  const expired = await tx
    .select({ id: uploads.id, storage_key: uploads.storage_key })
    .from(uploads)
    .where(and(isNull(uploads.removed_at), lt(uploads.created_at, since), isNotAwaited(uploads.id)))
    .orderBy(asc(uploads.id))
    .limit(BATCH_SIZE)
    .for('update');
  await removeMedia(tx, expired, now);
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
  await removeMedia(tx, expired, now);
  return expired.map(({ storage_key }) => storage_key);
}

const removeOldFiles = (tx: Tx, since: Date): Promise<string[]> => deleteOldReceivedFiles(tx, since, BATCH_SIZE);

/**
 * Deletes media that have been in the trash for long, and those there that have expired. Decision: Trash
 * @returns the number of media
 */
export async function purgeTrash(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  const expired = retentionCutoff(deps.config, now);
  const trashed = new Date(now.getTime() - TRASH_DAYS * DAY_MS);
  let purged = 0;
  for (const table of [uploads, assets]) {
    const isDue = and(
      isNotNull(table.trashed_at),
      or(lt(table.trashed_at, trashed), expired ? lt(table.created_at, expired) : undefined),
    );
    for (let count = BATCH_SIZE; count === BATCH_SIZE; purged += count) {
      const due = await deps.db.transaction(async (tx) => {
        const rows = await tx
          .select({ id: table.id, storage_key: table.storage_key })
          .from(table)
          .where(isDue)
          .orderBy(asc(table.id))
          .limit(BATCH_SIZE)
          .for('update');
        await removeMedia(tx, rows, now);
        return rows;
      });
      await deleteUnreferencedFiles(
        deps,
        due.map(({ storage_key }) => storage_key),
      );
      count = due.length;
    }
  }
  return purged;
}

/** Deletes the rows of uploads that were removed while in use and are no longer. @returns the number of uploads */
export async function purgeRemovedUploads(deps: Deps): Promise<number> {
  let purged = 0;
  for (let after = '', count = BATCH_SIZE; count === BATCH_SIZE;) {
    const rows = await deps.db
      .select({ id: uploads.id, storage_key: uploads.storage_key })
      .from(uploads)
      .where(and(isNotNull(uploads.removed_at), isNull(uploads.trashed_at), gt(uploads.id, after)))
      .orderBy(asc(uploads.id))
      .limit(BATCH_SIZE);
    const inUse = await findMediaInUse(
      deps.db,
      rows.map(({ id }) => id),
    );
    const unused = rows.filter(({ id }) => !inUse.has(id));
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
