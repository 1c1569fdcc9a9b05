import { and, count, eq, ne } from 'drizzle-orm';
import { priceProblems } from '#contract/added-models/prices/price.ts';
import { withMarkup } from '#contract/added-models/prices/price-markup.ts';
import { hasModels, TASKS } from '#contract/catalog.ts';
import { type AddedModelId, isAddedModelId, MAX_MODEL_ID_CHARACTERS } from '#contract/ids.ts';
import type { InputContract } from '#contract/task.ts';
import type {
  AddedModelChange,
  AddedModelCreate,
  AddedModelUpgrade,
  ModelSource,
} from '#contract/resources/added-model.ts';
import { type AuditActor, actingKey } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { addedModels, addedModelVersions } from '#server/platform/db/schema/added-model-schema.ts';
import { assets, generations } from '#server/platform/db/schema/schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type InspectedModel, invalidModel, readModel } from './inspect-model.ts';
import { type AddedModelRow, currentOf, findAddedModelRow, sourceOf, type VersionRow } from './added-model-rows.ts';
import { recordModelEvent } from './record-model-event.ts';
import { findConnection } from '#server/models/connections/connections.ts';

/** Not counting removed ones; the offering holds them in memory. */
const MAX_MODELS = 200;
const MAX_VERSIONS = 100;

/** @throws {ApiError} 409 */
function assertSameSchema({ normalized }: InspectedModel, hash: string): void {
  if (normalized.hash !== hash)
    throw new ApiError('schema_changed', 'The provider changed this model meanwhile. Look at its form again.');
}

/** @throws {ApiError} 422 */
function assertConfirmed({ task, price, markup_percent }: Confirmed, name: string, contract: InputContract): void {
  if (!hasModels(task)) throw invalidModel('task', `“${TASKS[task].name}” runs on no model.`);
  const [problem] = priceProblems({ name, contract, price: withMarkup(price, markup_percent) });
  if (problem !== undefined) throw invalidModel('price', problem);
}

type Confirmed = Pick<VersionRow, 'task' | 'price' | 'markup_percent'>;

const EVERYBODY = { roles: null, tags: null };

/** Adds a model as a draft. @throws {ApiError} 400; 404; 409 `schema_changed`; 422, naming the field; 503 */
export async function createAddedModel(
  deps: Deps,
  manager: AuditActor,
  request: AddedModelCreate,
  signal: AbortSignal,
): Promise<AddedModelId> {
  const { hash, name, description, task, price, markup_percent, ...source } = request;
  const inspected = await readModel(deps, source, signal);
  assertSameSchema(inspected, hash);
  assertConfirmed({ task, price, markup_percent }, name, inspected.normalized.contract);
  const now = deps.clock.now();
  const { organization_id } = manager;
  const id = await deps.db.transaction(async (tx) => {
    const [models] = await tx
      .select({ count: count() })
      .from(addedModels)
      .where(and(eq(addedModels.organization_id, organization_id), ne(addedModels.state, 'removed')));
    if ((models?.count ?? 0) >= MAX_MODELS)
      throw invalidModel('name', `An organization has at most ${MAX_MODELS} added models. Remove one first.`);
    const id = await insertModel(tx, {
      organization_id,
      connection_id: inspected.connection.id,
      provider: inspected.connection.provider,
      name,
      description,
      state: 'draft',
      audience: EVERYBODY,
      version: 1,
      checked_at: now,
      created_by: actingKey(manager)?.id ?? null,
      created_at: now,
      updated_at: now,
    });
    await tx
      .insert(addedModelVersions)
      .values(versionRow(id, 1, source, inspected, { task, price, markup_percent }, now));
    const after = { provider_model: inspected.snapshot.provider_model, task, price, markup_percent };
    await recordModelEvent(tx, manager, { id, name }, { action: 'added_model.created', after }, now);
    return id;
  });
  await deps.offering.refresh();
  return id;
}

function versionRow(
  modelId: AddedModelId,
  version: number,
  { provider_id: _provider, ...source }: ModelSource,
  { snapshot, normalized, provider_data }: InspectedModel,
  confirmed: Confirmed,
  createdAt: Date,
): typeof addedModelVersions.$inferInsert {
  const { provider_model, provider_version, page_url, published_price, price_text } = snapshot;
  return {
    model_id: modelId,
    version,
    source,
    normalized,
    provider_data,
    provider_model,
    provider_version,
    page_url,
    published_price,
    price_text,
    ...confirmed,
    created_at: createdAt,
  };
}

/** Inserts a model under an id that none ever had, from its name: `added-kokoro-tts`. */
async function insertModel(tx: Tx, row: Omit<typeof addedModels.$inferInsert, 'id'>): Promise<AddedModelId> {
  const slug =
    row.name
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, MAX_MODEL_ID_CHARACTERS - 16)
      .replaceAll(/^-|-$/g, '') || 'model';
  for (let number = 1; ; number += 1) {
    const id: AddedModelId = `added-${slug}${number === 1 ? '' : `-${number}`}`;
    const inserted = await tx
      .insert(addedModels)
      .values({ ...row, id })
      .onConflictDoNothing()
      .returning({ id: addedModels.id });
    if (inserted.length > 0) return id;
  }
}

/** @throws {ApiError} 404; 422 */
export async function changeAddedModel(
  deps: Deps,
  manager: AuditActor,
  id: string,
  change: AddedModelChange,
): Promise<void> {
  const now = deps.clock.now();
  const { price, markup_percent, provider_id: connection_id, ...others } = change;
  const settings = { ...others, connection_id };
  await deps.db.transaction(async (tx) => {
    const { model, current } = await lockModel(tx, manager, id);
    if (connection_id !== undefined) await assertSameProvider(tx, model, connection_id);
    if (settings.sample_asset_id != null) await assertSample(tx, model, settings.sample_asset_id);
    const isRepriced = price !== undefined || markup_percent !== undefined;
    const next = { price: price ?? current.price, markup_percent: markup_percent ?? current.markup_percent };
    if (isRepriced) {
      assertConfirmed({ task: current.task, ...next }, model.name, current.normalized.contract);
      await addVersion(tx, model, { ...current, ...next, created_at: now });
    }
    const values = {
      ...definedValues(settings),
      ...(settings.state === undefined ? {} : { paused_reason: null }),
      ...(isRepriced ? { version: model.version + 1 } : {}),
      updated_at: now,
    };
    await tx.update(addedModels).set(values).where(eq(addedModels.id, model.id));
    const audited = { ...definedValues(settings), ...(isRepriced ? next : {}) };
    const before = Object.fromEntries(
      Object.keys(audited).map((name) => [name, { ...current, ...model }[name as keyof (VersionRow & AddedModelRow)]]),
    );
    const action = `added_model.${settings.state ?? 'updated'}` as const;
    await recordModelEvent(tx, manager, model, { action, before, after: audited }, now);
  });
  await deps.offering.refresh();
}

const definedValues = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Another connection can run a model where the provider is the same. @throws {ApiError} 422 */
async function assertSameProvider(tx: Tx, { provider }: AddedModelRow, connectionId: string): Promise<void> {
  const connection = await findConnection(tx, connectionId);
  if (connection?.provider !== provider)
    throw invalidModel('provider_id', 'Choose a connected provider of the same kind.');
}

/** The sample of a card is a result of the model. @throws {ApiError} 422 */
async function assertSample(tx: Tx, { id, organization_id }: AddedModelRow, assetId: string): Promise<void> {
  const [asset] = await tx
    .select({ id: assets.id })
    .from(assets)
    .innerJoin(generations, eq(generations.id, assets.generation_id))
    .where(and(eq(assets.id, assetId), eq(generations.model, id), eq(generations.organization_id, organization_id)));
  if (!asset) throw invalidModel('sample_asset_id', 'The sample must be a result of this model.');
}

/** @throws {ApiError} 404 */
async function lockModel(tx: Tx, { organization_id }: AuditActor, id: string) {
  if (isAddedModelId(id))
    await tx.select({ id: addedModels.id }).from(addedModels).where(eq(addedModels.id, id)).for('update');
  const { model, versions } = await findAddedModelRow(tx, organization_id, id);
  const current = versions.find(({ version }) => version === model.version);
  if (!current || model.state === 'removed') throw new ApiError('not_found', 'Added model not found.');
  return { model, current, versions };
}

/** @throws {ApiError} 422 */
async function addVersion(
  tx: Tx,
  { id, version }: AddedModelRow,
  row: Omit<typeof addedModelVersions.$inferInsert, 'model_id' | 'version'>,
): Promise<void> {
  if (version >= MAX_VERSIONS)
    throw invalidModel('price', `A model has at most ${MAX_VERSIONS} versions. Add it again as another model.`);
  await tx.insert(addedModelVersions).values({ ...row, model_id: id, version: version + 1 });
}

const auditFacts = (schema: string, { task, price, markup_percent }: Confirmed) => ({
  schema,
  task,
  price,
  markup_percent,
});

/** Replaces the frozen schema. @throws {ApiError} 400; 404; 409 `schema_changed`; 422; 503 */
export async function upgradeAddedModel(
  deps: Deps,
  manager: AuditActor,
  id: string,
  { hash, ...confirmed }: AddedModelUpgrade,
  signal: AbortSignal,
): Promise<void> {
  const stored = await findAddedModelRow(deps.db, manager.organization_id, id);
  const source = sourceOf(stored);
  const inspected = await readModel(deps, source, signal, { known: currentOf(stored).normalized });
  assertSameSchema(inspected, hash);
  assertConfirmed(confirmed, stored.model.name, inspected.normalized.contract);
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    const { model, current } = await lockModel(tx, manager, id);
    await addVersion(tx, model, versionRow(model.id, 0, source, inspected, confirmed, now));
    const resumed = model.state === 'paused' && model.paused_reason !== null ? { state: 'published' as const } : {};
    await tx
      .update(addedModels)
      .set({
        ...resumed,
        version: model.version + 1,
        paused_reason: null,
        drift: null,
        checked_at: now,
        updated_at: now,
      })
      .where(eq(addedModels.id, model.id));
    const change = {
      action: 'added_model.upgraded',
      before: auditFacts(current.normalized.hash, current),
      after: auditFacts(inspected.normalized.hash, confirmed),
    } as const;
    await recordModelEvent(tx, manager, model, change, now);
  });
  await deps.offering.refresh();
}

/** @throws {ApiError} 404 */
export async function removeAddedModel(deps: Deps, manager: AuditActor, id: string): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    const { model } = await lockModel(tx, manager, id);
    await tx
      .update(addedModels)
      .set({ state: 'removed', drift: null, updated_at: now })
      .where(eq(addedModels.id, model.id));
    await recordModelEvent(tx, manager, model, { action: 'added_model.removed' }, now);
  });
  await deps.offering.refresh();
}
