import { desc, eq } from 'drizzle-orm';
import { diffModels } from '#contract/added-models/diff-models.ts';
import { withMarkup } from '#contract/added-models/prices/price-markup.ts';
import { boundOf } from '#contract/money/price-order.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { AddedModel, AddedModelSummary, ModelComparison } from '#contract/resources/added-model.ts';
import { addedModels, addedModelVersions } from '#server/platform/db/schema/added-model-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { presentForm, presentInspection, readModel } from './inspect-model.ts';
import { type AddedModelRow, currentOf, findAddedModelRow, sourceOf, type VersionRow } from './added-model-rows.ts';

function presentSummary(model: AddedModelRow, current: VersionRow): AddedModelSummary {
  const {
    organization_id: _organization,
    connection_id,
    checked_at: _checked,
    created_by: _creator,
    test_ids: _tests,
    ...shown
  } = model;
  const { task, provider_model, provider_version, page_url, markup_percent, price, normalized } = current;
  const sold = { name: model.name, contract: normalized.contract, price: withMarkup(price, markup_percent) };
  return {
    ...shown,
    object: 'added_model',
    task,
    provider_id: connection_id,
    provider_model,
    provider_version,
    page_url,
    markup_percent,
    bound_usd: formatUsd(boundOf(sold)),
    drift: model.drift && { found_at: model.drift.found_at, changes: model.drift.changes },
    created_at: model.created_at.toISOString(),
    updated_at: model.updated_at.toISOString(),
  };
}

/** Newest first. */
export async function listAddedModels({ db }: Deps, organizationId: string): Promise<AddedModelSummary[]> {
  const rows = await db
    .select({ model: addedModels, version: addedModelVersions })
    .from(addedModels)
    .innerJoin(addedModelVersions, eq(addedModelVersions.model_id, addedModels.id))
    .where(eq(addedModels.organization_id, organizationId))
    .orderBy(desc(addedModels.created_at), desc(addedModels.id));
  return rows
    .filter(({ model, version }) => model.version === version.version)
    .map(({ model, version }) => presentSummary(model, version));
}

export type AddedModelWithoutTests = Omit<AddedModel, 'tests'>;

/** @throws {ApiError} 404 */
export async function readAddedModel(
  { db }: Pick<Deps, 'db'>,
  organizationId: string,
  id: string,
): Promise<AddedModelWithoutTests> {
  const { model, versions } = await findAddedModelRow(db, organizationId, id);
  const current = currentOf({ model, versions });
  return {
    ...presentSummary(model, current),
    ...presentForm(current.normalized),
    price: current.price,
    price_text: current.price_text,
    versions: versions.map(({ version, normalized, created_at }) => ({
      version,
      hash: normalized.hash,
      created_at: created_at.toISOString(),
    })),
  };
}

/** What an update would change. @throws {ApiError} 400; 404; 422; 503 */
export async function compareAddedModel(
  deps: Deps,
  organizationId: string,
  id: string,
  signal: AbortSignal,
): Promise<ModelComparison> {
  const stored = await findAddedModelRow(deps.db, organizationId, id);
  const current = currentOf(stored);
  const inspected = await readModel(deps, sourceOf(stored), signal, { known: current.normalized });
  const publishedPrice = inspected.snapshot.published_price;
  const changes = diffModels(current, { normalized: inspected.normalized, published_price: publishedPrice });
  return {
    object: 'model_comparison',
    changes: changes.map(({ message, breaks }) => ({ text: message, breaks })),
    current: presentInspection(inspected),
  };
}
