import { eq } from 'drizzle-orm';
import { isModelId } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { Db } from '#server/platform/db/db.ts';
import { providerConnections } from '#server/platform/db/schema/provider-schema.ts';
import { findPreset, findPresetModel } from '#server/models/providers/presets.ts';

/**
 * Names the provider and its model that received a job, which may be disconnected by now.
 * @param connectionId null for an engine of the operator's file, which has no such names
 */
export async function readJobProvider(
  db: Pick<Db, 'select'>,
  connectionId: string | null,
  { task, model }: { task: TaskId; model: AnyModelId | null },
): Promise<{ name: string; model: string | null } | null> {
  if (connectionId === null) return null;
  const [connection] = await db
    .select({ provider: providerConnections.provider })
    .from(providerConnections)
    .where(eq(providerConnections.id, connectionId));
  if (!connection) return null;
  const preset = findPreset(connection.provider);
  const presetModel = preset && model !== null && isModelId(model) ? findPresetModel(preset, task, model) : undefined;
  return { name: preset?.name ?? connection.provider, model: presetModel?.display.name ?? null };
}
