import { asc } from 'drizzle-orm';
import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import { withMarkup } from '#contract/added-models/prices/price-markup.ts';
import type { AddedModelId, AnyModelId } from '#contract/ids.ts';
import { quantityBounds } from '#contract/added-models/prices/price-quantity.ts';
import { findAddedModel, type OfferedModel, type OfferedVersion } from '#contract/model-catalog.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { addedModels, addedModelVersions } from '#server/platform/db/schema/added-model-schema.ts';
import type { Db } from '#server/platform/db/db.ts';

export interface ServedVersion extends OfferedVersion {
  definition: AddedModelVersion;
}

/** An added model with its versions, as the offering holds it. */
export interface AddedModel
  extends
    OfferedModel<ServedVersion>,
    Pick<
      typeof addedModels.$inferSelect,
      'organization_id' | 'connection_id' | 'description' | 'state' | 'paused_reason' | 'audience' | 'sample_asset_id'
    > {}

/** All of an installation: ids are unique in it. */
export type AddedModels = ReadonlyMap<AddedModelId, AddedModel>;

export async function readAddedModels(db: Pick<Db, 'select'>): Promise<AddedModels> {
  const rows = await db.select().from(addedModels).orderBy(asc(addedModels.created_at), asc(addedModels.id));
  if (rows.length === 0) return new Map();
  const versions = Map.groupBy(await db.select().from(addedModelVersions), ({ model_id }) => model_id);
  const models = rows.flatMap(
    ({ drift: _drift, checked_at: _checked, updated_at: _updated, test_ids: _tests, ...row }): AddedModel[] => {
      const { id, name, provider } = row;
      const ofModel = (versions.get(id) ?? []).map((stored) => serve({ ...stored, id, name, provider }));
      const current = ofModel.find(({ version }) => version === row.version);
      return current
        ? [{ ...row, current, versions: new Map(ofModel.map((version) => [version.version, version])) }]
        : [];
    },
  );
  return new Map(models.map((model) => [model.id, model]));
}

function serve(definition: AddedModelVersion): ServedVersion {
  const { contract } = definition.normalized;
  const bounds = quantityBounds(definition.price, contract);
  return {
    name: definition.name,
    version: definition.version,
    task: definition.task,
    contract: bounds.length === 0 ? contract : { ...contract, bounds },
    price: withMarkup(definition.price, definition.markup_percent),
    definition,
  };
}

/** Who looks for models. Without `permissions` it is work that was ordered before, whose audience was checked then. */
export type ModelViewer = Pick<Caller, 'organization_id'> & Partial<Pick<Caller, 'permissions' | 'person'>>;

/**
 * Whether a model exists for somebody. Nobody but its managers sees a draft.
 * @param viewer null: no credential, so only what everybody may use exists
 */
export function isModelVisible(
  { organization_id, state, audience: { roles, tags } }: AddedModel,
  viewer: ModelViewer | null,
): boolean {
  if (state === 'removed') return false;
  if (viewer === null) return state === 'published' && roles === null && tags === null;
  if (organization_id !== viewer.organization_id) return false;
  if (viewer.permissions === undefined || viewer.permissions.has('models.manage')) return true;
  if (state === 'draft') return false;
  return roles === null || (viewer.person != null && roles.includes(viewer.person.role));
}

/**
 * Every new generation passes here.
 * @param tags of the order
 * @throws {ApiError} 400 `model_not_allowed` if the model is for work with other tags
 */
export function assertTagsAllowed(
  { added }: { added: AddedModels },
  id: AnyModelId | null,
  tags: Readonly<Record<string, string>>,
): void {
  const model = findAddedModel({ added }, id);
  const missing = Object.entries(model?.audience.tags ?? {}).find(([name, value]) => tags[name] !== value);
  if (!model || !missing) return;
  const [name, value] = missing;
  throw new ApiError('model_not_allowed', `${model.name} is for work with the tag ${name}: ${value}.`);
}
