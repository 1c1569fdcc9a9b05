import { inArray } from 'drizzle-orm';
import { mediaDerivatives } from '#server/platform/db/schema/derivative-schema.ts';
import { providerBills } from '#server/platform/db/schema/closing-schema.ts';
import { receivedFiles } from '#server/platform/db/schema/review-schema.ts';
import { resumableParts } from '#server/platform/db/schema/upload-schema.ts';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import { organizationLogos } from '#server/platform/db/schema/share-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { deleteDerivatives } from './derivatives/delete-derivatives.ts';
import { findMediaInUse } from './media-uses.ts';
import { deleteSidecars } from './sidecars.ts';

/** Uploads of the same file share its bytes. Call it after the commit; the sweeper deletes what fails here. */
export async function deleteUnreferencedFiles(deps: Deps, storageKeys: readonly string[]): Promise<void> {
  if (storageKeys.length === 0) return;
  try {
    const referenced = await findReferencedKeys(deps.db, storageKeys);
    const orphaned = new Set(storageKeys.filter((key) => !referenced.has(key)));
    await deleteSidecars(deps.db, [...orphaned]);
    await Promise.all([...orphaned].map((key) => deps.storage.delete(key)));
    await deleteDerivatives(deps, [...orphaned]);
  } catch (error) {
    deps.log.warn({ err: error, storage_keys: storageKeys }, 'could not delete stored files');
  }
}

const BATCH_SIZE = 500;

/**
 * A process that dies between storing and settling leaves such files. @returns the number of files
 * @param before newer files may belong to work in progress
 */
export async function deleteOrphanedFiles({ db, storage }: Deps, before: Date): Promise<number> {
  let removed = await storage.removeLeftovers(before);
  const deleteOrphans = async (keys: readonly string[]) => {
    const referenced = await findReferencedKeys(db, keys);
    const orphaned = keys.filter((key) => !referenced.has(key));
    await deleteSidecars(db, orphaned);
    for (const key of orphaned) {
      await storage.delete(key);
      removed += 1;
    }
  };
  let batch: string[] = [];
  for await (const { key, modified_at } of storage.list()) {
    if (modified_at >= before) continue;
    batch.push(key);
    if (batch.length < BATCH_SIZE) continue;
    await deleteOrphans(batch);
    batch = [];
  }
  if (batch.length > 0) await deleteOrphans(batch);
  return removed;
}

/** The keys that a row references. A removed medium counts in the trash, and while an active generation uses it. */
async function findReferencedKeys(db: Deps['db'], keys: readonly string[]): Promise<Set<string>> {
  const rowsOf = (table: typeof assets | typeof uploads) =>
    db
      .select({ id: table.id, key: table.storage_key, removed_at: table.removed_at, trashed_at: table.trashed_at })
      .from(table)
      .where(inArray(table.storage_key, [...keys]));
  const rows = [...(await rowsOf(assets)), ...(await rowsOf(uploads))];
  const copies = await db
    .select({ key: mediaDerivatives.storage_key })
    .from(mediaDerivatives)
    .where(inArray(mediaDerivatives.storage_key, [...keys]));
  const parts = await db
    .select({ key: resumableParts.storage_key })
    .from(resumableParts)
    .where(inArray(resumableParts.storage_key, [...keys]));
  const logos = await db
    .select({ key: organizationLogos.storage_key })
    .from(organizationLogos)
    .where(inArray(organizationLogos.storage_key, [...keys]));
  const received = await db
    .select({ key: receivedFiles.storage_key })
    .from(receivedFiles)
    .where(inArray(receivedFiles.storage_key, [...keys]));
  const bills = await db
    .select({ key: providerBills.storage_key })
    .from(providerBills)
    .where(inArray(providerBills.storage_key, [...keys]));
  const removed = rows.filter(({ removed_at, trashed_at }) => removed_at !== null && trashed_at === null);
  const inUse = await findMediaInUse(
    db,
    removed.map(({ id }) => id),
  );
  const live = rows.filter((row) => !removed.includes(row) || inUse.has(row.id));
  return new Set([...live, ...copies, ...parts, ...logos, ...received, ...bills].map(({ key }) => key));
}
