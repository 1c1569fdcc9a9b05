import { inArray } from 'drizzle-orm';
import { mediaDerivatives } from '#server/db/derivative-schema.ts';
import { assets, uploads } from '#server/db/schema.ts';
import type { Deps } from '#server/deps.ts';
import { findMediaInUse } from './media-uses.ts';

const AT_ONCE = 500;

/**
 * Deletes stored files that no row names, as a process leaves behind that ends between storing and settling.
 * @param before younger ones may belong to work that is still under way
 * @returns how many
 */
export async function deleteOrphanedFiles(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  before: Date,
): Promise<number> {
  let removed = await storage.removeLeftovers(before);
  const judge = async (keys: readonly string[]) => {
    const named = await findReferencedKeys(db, keys);
    for (const key of keys) {
      if (named.has(key)) continue;
      await storage.delete(key);
      removed += 1;
    }
  };
  let batch: string[] = [];
  for await (const { key, modified_at } of storage.list()) {
    if (modified_at >= before) continue;
    batch.push(key);
    if (batch.length < AT_ONCE) continue;
    await judge(batch);
    batch = [];
  }
  if (batch.length > 0) await judge(batch);
  return removed;
}

/** What is removed is named no longer, but by a generation that still needs it. */
export async function findReferencedKeys(db: Deps['db'], keys: readonly string[]): Promise<Set<string>> {
  const named = (table: typeof assets | typeof uploads) =>
    db
      .select({ id: table.id, key: table.storage_key, removed_at: table.removed_at })
      .from(table)
      .where(inArray(table.storage_key, [...keys]));
  const rows = [...(await named(assets)), ...(await named(uploads))];
  const copies = await db
    .select({ key: mediaDerivatives.storage_key })
    .from(mediaDerivatives)
    .where(inArray(mediaDerivatives.storage_key, [...keys]));
  const removed = rows.filter(({ removed_at }) => removed_at !== null);
  const needed = await findMediaInUse(
    db,
    removed.map(({ id }) => id),
  );
  const live = rows.filter(({ id, removed_at }) => removed_at === null || needed.has(id));
  return new Set([...live, ...copies].map(({ key }) => key));
}
