import { eq } from 'drizzle-orm';
import {
  type CatalogId,
  type CatalogLabel,
  type CatalogLabelUpdate,
  isCatalogId,
} from '#contract/resources/catalog-label.ts';
import { ApiError } from '#server/core/api-error.ts';
import { catalogLabels } from '#server/db/catalog-schema.ts';
import type { Db } from '#server/db/db.ts';
import type { Deps } from '#server/deps.ts';
import type { CatalogLabels } from './offering.ts';

type LabelDeps = Pick<Deps, 'db' | 'clock' | 'offering'>;

export async function readCatalogLabels(db: Pick<Db, 'select'>): Promise<CatalogLabels> {
  const { id, name, description } = catalogLabels;
  const rows = await db.select({ id, name, description }).from(catalogLabels).orderBy(id);
  return new Map(rows.map((row) => [row.id, { name: row.name, description: row.description }]));
}

/** Names a model or task. @param updated_by id of the caller's key @throws {ApiError} 404 */
export async function setCatalogLabel(
  { db, clock, offering }: LabelDeps,
  id: string,
  label: CatalogLabelUpdate,
  updated_by: string,
): Promise<CatalogLabel> {
  const values = { ...label, updated_by, updated_at: clock.now() };
  await db
    .insert(catalogLabels)
    .values({ ...values, id: requireCatalogId(id) })
    .onConflictDoUpdate({ target: catalogLabels.id, set: values });
  await offering.refresh();
  return {
    id: requireCatalogId(id),
    object: 'catalog_label',
    ...label,
    updated_at: values.updated_at.toISOString(),
  };
}

/** @throws {ApiError} 404 */
export async function deleteCatalogLabel({ db, offering }: LabelDeps, id: string): Promise<void> {
  const [deleted] = await db
    .delete(catalogLabels)
    .where(eq(catalogLabels.id, requireCatalogId(id)))
    .returning();
  if (!deleted) throw new ApiError('not_found', 'This model or task has no name of its own.');
  await offering.refresh();
}

/** @throws {ApiError} 404 */
function requireCatalogId(id: string): CatalogId {
  if (isCatalogId(id)) return id;
  throw new ApiError('not_found', 'Model or task not found.');
}
