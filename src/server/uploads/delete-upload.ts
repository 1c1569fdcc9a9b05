import { and, eq } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { uploads } from '../db/schema.ts';

/**
 * Removes an upload; its links end at once. A file that can't be removed now is left to the sweeper.
 * @returns whether the organization had such an upload
 */
export async function deleteUpload(
  { db, storage, log }: Pick<Deps, 'db' | 'storage' | 'log'>,
  organization_id: string,
  id: string,
): Promise<boolean> {
  const [row] = await db
    .delete(uploads)
    .where(and(eq(uploads.organization_id, organization_id), eq(uploads.id, id)))
    .returning({ storage_key: uploads.storage_key });
  if (!row) return false;
  await storage.delete(row.storage_key).catch((error: unknown) => log.warn({ err: error, ...row }, 'file left behind'));
  return true;
}
