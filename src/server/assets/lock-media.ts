import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import { assets, uploads } from '#server/db/schema.ts';

/**
 * Locks and returns the media of an organization that still exist. Use `key share` to reference media and `update` to
 * delete them. Locks are always taken in the same order, assets first, to avoid deadlocks.
 */
export async function lockMedia(
  tx: Tx,
  organization_id: string,
  media_ids: readonly string[],
  strength: 'key share' | 'update',
) {
  const locked = async (table: typeof assets | typeof uploads, ids: string[]) =>
    ids.length === 0
      ? []
      : tx
          .select({ id: table.id, type: table.type, size_bytes: table.size_bytes, storage_key: table.storage_key })
          .from(table)
          .where(and(inArray(table.id, ids), eq(table.organization_id, organization_id), isNull(table.removed_at)))
          .orderBy(asc(table.id))
          .for(strength);
  const withPrefix = (prefix: string) => media_ids.filter((id) => id.startsWith(prefix));
  const of_assets = await locked(assets, withPrefix('ast_'));
  return [...of_assets, ...(await locked(uploads, withPrefix('upl_')))];
}
