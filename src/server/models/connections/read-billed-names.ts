import { eq } from 'drizzle-orm';
import { MODEL_NAMES } from '#contract/catalog.ts';
import type { BilledNames } from '#server/accounts/closing/matching/name-services.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import { addedModels, addedModelVersions } from '#server/platform/db/schema/added-model-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { providerConnections } from '#server/platform/db/schema/provider-schema.ts';

/** What models may be called on the bills of a provider: by our names, and by its own. */
export async function readBilledNames(db: Pick<Db, 'select'>, providerId: string): Promise<BilledNames> {
  const names = new Map<string, string[]>(Object.entries(MODEL_NAMES).map(([id, name]) => [id, [id, name]]));
  const add = (model: string, ...texts: (string | null | undefined)[]) =>
    names.set(model, [...(names.get(model) ?? [model]), ...texts.flatMap((text) => text ?? [])]);
  const [connection] = await db.select().from(providerConnections).where(eq(providerConnections.id, providerId));
  for (const { model, provider_model, display, names: others } of (connection &&
    findPreset(connection.provider)?.models) ??
    [])
    add(model, provider_model, display.name, ...(others ?? []));
  for (const { model, provider_model } of connection?.models ?? []) add(model, provider_model);
  const added = await db
    .select({ id: addedModels.id, name: addedModels.name, provider_model: addedModelVersions.provider_model })
    .from(addedModels)
    .innerJoin(addedModelVersions, eq(addedModelVersions.model_id, addedModels.id))
    .where(eq(addedModels.connection_id, providerId));
  for (const { id, name, provider_model } of added) add(id, name, provider_model);
  return names;
}
