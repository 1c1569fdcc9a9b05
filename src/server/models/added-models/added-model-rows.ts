import { and, desc, eq } from 'drizzle-orm';
import { isAddedModelId } from '#contract/ids.ts';
import type { ModelSource } from '#contract/resources/added-model.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { addedModels, addedModelVersions } from '#server/platform/db/schema/added-model-schema.ts';
import type { Db } from '#server/platform/db/db.ts';

export type AddedModelRow = typeof addedModels.$inferSelect;
export type VersionRow = typeof addedModelVersions.$inferSelect;

export interface StoredModel {
  model: AddedModelRow;
  /** Newest first. */
  versions: readonly VersionRow[];
}

/** @throws {ApiError} 404 */
export async function findAddedModelRow(
  db: Pick<Db, 'select'>,
  organizationId: string,
  id: string,
): Promise<StoredModel> {
  const [model] = isAddedModelId(id)
    ? await db
        .select()
        .from(addedModels)
        .where(and(eq(addedModels.id, id), eq(addedModels.organization_id, organizationId)))
    : [];
  if (!model) throw new ApiError('not_found', 'Added model not found.');
  const versions = await db
    .select()
    .from(addedModelVersions)
    .where(eq(addedModelVersions.model_id, model.id))
    .orderBy(desc(addedModelVersions.version));
  return { model, versions };
}

/** What a model was made from, in the newest version of the provider's, whichever it was made from. */
export const sourceOf = ({ model, versions: [newest] }: StoredModel): ModelSource => ({
  overrides: {},
  ...newest?.source,
  address: newest?.provider_model ?? '',
  provider_id: model.connection_id,
});

export function currentOf({ model, versions }: StoredModel): VersionRow {
  const current = versions.find(({ version }) => version === model.version);
  if (!current) throw new Error(`${model.id} has no version ${model.version}.`);
  return current;
}
