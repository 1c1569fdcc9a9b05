import { eq } from 'drizzle-orm';
import { isModelId, isTaskId, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { SpendingGroup } from '#contract/ledger.ts';
import { addedModels } from '#server/platform/db/added-model-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { people } from '#server/platform/db/people-schema.ts';
import { apiKeys } from '#server/platform/db/organization-schema.ts';

/** id null: none. */
export interface SpendingLabel {
  id: string | null;
  name: string;
}

/** Names of keys, the people whom they belong to, by key, and names of added models. */
export interface SpendingNames {
  names: ReadonlyMap<string, string>;
  models: ReadonlyMap<string, string>;
  people: ReadonlyMap<string, SpendingLabel>;
}

export async function readSpendingNames(db: Pick<Db, 'select'>, organization_id: string): Promise<SpendingNames> {
  const rows = await db
    .select({ id: apiKeys.id, name: apiKeys.name, person_id: people.id, person_name: people.name })
    .from(apiKeys)
    .leftJoin(people, eq(people.id, apiKeys.person_id))
    .where(eq(apiKeys.organization_id, organization_id));
  const owned = rows.flatMap(({ id, person_id, person_name }) =>
    person_id === null || person_name === null ? [] : [[id, { id: person_id, name: person_name }] as const],
  );
  const models = await db
    .select({ id: addedModels.id, name: addedModels.name })
    .from(addedModels)
    .where(eq(addedModels.organization_id, organization_id));
  return {
    names: new Map(rows.map(({ id, name }) => [id, name])),
    people: new Map(owned),
    models: new Map(models.map(({ id, name }) => [id, name])),
  };
}

/** Returns the group of a value that `sumEntries` returned for a dimension. */
export function labelSpending(value: string | null, by: SpendingGroup, owners: SpendingNames): SpendingLabel {
  switch (by) {
    case 'task':
      return { id: value, name: value !== null && isTaskId(value) ? TASKS[value].name : '' };
    case 'model':
      return { id: value, name: value === null ? 'No model' : nameModel(value, owners) };
    case 'key':
      return { id: value, name: owners.names.get(value ?? '') ?? '' };
    case 'person':
      return owners.people.get(value ?? '') ?? { id: null, name: 'Programs' };
    default:
      return { id: value, name: value ?? '(none)' };
  }
}

/** The name of a built-in or added model; of another one, its id. */
export const nameModel = (id: string, { models }: Pick<SpendingNames, 'models'>): string =>
  isModelId(id) ? MODEL_NAMES[id] : (models.get(id) ?? id);
