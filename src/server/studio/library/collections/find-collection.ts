import { type SQL, and, eq } from 'drizzle-orm';
import { ApiError } from '#server/platform/core/api-error.ts';
import { collections } from '#server/platform/db/schema/collection-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { madeBy, type WorkScope } from '#server/platform/db/work-scope.ts';

export type CollectionRow = typeof collections.$inferSelect;

/** Matches the collections that a caller sees: all, or their own. Decision: Collections */
export const collectionsOf = (scope: WorkScope): SQL | undefined =>
  and(eq(collections.organization_id, scope.organization_id), madeBy(collections.created_by, scope));

/**
 * @param lock keeps others from changing it until the transaction ends
 * @throws {ApiError} 404 `not_found`, also for a collection that the caller may not see
 */
export async function findCollection(
  db: Pick<Db | Tx, 'select'>,
  scope: WorkScope,
  id: string,
  lock?: 'for update',
): Promise<CollectionRow> {
  const query = db
    .select()
    .from(collections)
    .where(and(eq(collections.id, id), collectionsOf(scope)));
  const [row] = await (lock ? query.for('update') : query);
  if (!row) throw new ApiError('not_found', 'This collection does not exist or was deleted.');
  return row;
}
