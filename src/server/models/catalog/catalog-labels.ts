import { eq } from 'drizzle-orm';
import {
  type CatalogId,
  type CatalogLabel,
  type CatalogLabelUpdate,
  isCatalogId,
} from '#contract/resources/catalog.ts';
import { type AuditActor, actingKey, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { catalogLabels } from '#server/platform/db/schema/catalog-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { CatalogLabels } from './offering.ts';

export async function readCatalogLabels(db: Pick<Db, 'select'>): Promise<CatalogLabels> {
  const { id, name, description } = catalogLabels;
  const rows = await db.select({ id, name, description }).from(catalogLabels).orderBy(id);
  return new Map(rows.map((row) => [row.id, { name: row.name, description: row.description }]));
}

/** Names a model or task. @throws {ApiError} 404 */
export async function setCatalogLabel(
  { db, clock, offering }: Deps,
  id: string,
  label: CatalogLabelUpdate,
  actor: AuditActor,
): Promise<CatalogLabel> {
  const now = clock.now();
  const catalogId = requireCatalogId(id);
  const values = { ...label, updated_by: actingKey(actor)?.id ?? '', updated_at: now };
  await db.transaction(async (tx) => {
    const [previous] = await tx.select().from(catalogLabels).where(eq(catalogLabels.id, catalogId)).for('update');
    await tx
      .insert(catalogLabels)
      .values({ ...values, id: catalogId })
      .onConflictDoUpdate({ target: catalogLabels.id, set: values });
    const target = { type: 'catalog_label', id: catalogId, name: label.name };
    const before = previous && describeLabel(previous);
    await recordAuditEvent(
      tx,
      actor,
      { action: 'catalog_label.set', target, before, after: describeLabel(label) },
      now,
    );
  });
  await offering.refresh();
  return {
    id: catalogId,
    object: 'catalog_label',
    ...label,
    updated_at: now.toISOString(),
  };
}

/** @throws {ApiError} 404 */
export async function deleteCatalogLabel({ db, clock, offering }: Deps, id: string, actor: AuditActor): Promise<void> {
  const catalogId = requireCatalogId(id);
  await db.transaction(async (tx) => {
    const [deleted] = await tx.delete(catalogLabels).where(eq(catalogLabels.id, catalogId)).returning();
    if (!deleted) throw new ApiError('not_found', 'This model or task has no name of its own.');
    const target = { type: 'catalog_label', id: catalogId, name: deleted.name };
    const change = { action: 'catalog_label.deleted', target, before: describeLabel(deleted) } as const;
    await recordAuditEvent(tx, actor, change, clock.now());
  });
  await offering.refresh();
}

/** What the audit log says of a name. */
const describeLabel = ({ name, description }: CatalogLabelUpdate) => ({ name, description });

/** @throws {ApiError} 404 */
function requireCatalogId(id: string): CatalogId {
  if (isCatalogId(id)) return id;
  throw new ApiError('not_found', 'Model or task not found.');
}
