import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { and, inArray, isNull, lt, or } from 'drizzle-orm';
import { resumableUploads } from '#server/platform/db/schema/upload-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { resumableFolder } from './find-resumable.ts';

const HOUR_MS = 3_600_000;
const BATCH_SIZE = 500;

/** @returns the number of files */
export async function sweepResumable({ config, db, clock }: Deps): Promise<number> {
  const now = clock.now();
  const isUnlocked = or(isNull(resumableUploads.lock_owner), lt(resumableUploads.lock_expires_at, now));
  const folder = resumableFolder(config);
  const remaining = new Set(await readdir(folder).catch(() => []));
  const expired = await db
    .delete(resumableUploads)
    .where(and(lt(resumableUploads.expires_at, now), isUnlocked))
    .returning({ id: resumableUploads.id });
  let removed = 0;
  for (const { id } of expired.filter(({ id }) => remaining.delete(id))) {
    await rm(join(folder, id), { force: true });
    removed += 1;
  }
  const names = [...remaining];
  for (let from = 0; from < names.length; from += BATCH_SIZE) {
    const batch = names.slice(from, from + BATCH_SIZE);
    const rows = await db
      .select({ id: resumableUploads.id })
      .from(resumableUploads)
      .where(inArray(resumableUploads.id, batch));
    const known = new Set(rows.map(({ id }) => id));
    for (const file of batch.filter((name) => !known.has(name)).map((name) => join(folder, name))) {
      // A recent file may belong to an upload that is being deleted right now.
      const stats = await stat(file).catch(() => null);
      if (!stats || stats.mtimeMs > now.getTime() - HOUR_MS) continue;
      await rm(file, { force: true });
      removed += 1;
    }
  }
  return removed;
}
