import { eq } from 'drizzle-orm';
import { isModelId, isTaskId, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { SpendingGroup } from '#contract/ledger.ts';
import type { Db } from '#server/platform/db/db.ts';
import { people } from '#server/platform/db/people-schema.ts';
import { apiKeys } from '#server/platform/db/organization-schema.ts';

/** id null: none. */
export interface SpendingLabel {
  id: string | null;
  name: string;
}

/** Names of keys, and the people whom they belong to, by key. */
export interface KeyOwners {
  names: ReadonlyMap<string, string>;
  people: ReadonlyMap<string, SpendingLabel>;
}

export async function readKeyOwners(db: Pick<Db, 'select'>, organization_id: string): Promise<KeyOwners> {
  const rows = await db
    .select({ id: apiKeys.id, name: apiKeys.name, person_id: people.id, person_name: people.name })
    .from(apiKeys)
    .leftJoin(people, eq(people.id, apiKeys.person_id))
    .where(eq(apiKeys.organization_id, organization_id));
  const owned = rows.flatMap(({ id, person_id, person_name }) =>
    person_id === null || person_name === null ? [] : [[id, { id: person_id, name: person_name }] as const],
  );
  return { names: new Map(rows.map(({ id, name }) => [id, name])), people: new Map(owned) };
}

/** Returns the group of a value that `sumEntries` returned for a dimension. */
export function labelSpending(value: string | null, by: SpendingGroup, owners: KeyOwners): SpendingLabel {
  switch (by) {
    case 'task':
      return { id: value, name: value !== null && isTaskId(value) ? TASKS[value].name : '' };
    case 'model':
      return { id: value, name: value !== null && isModelId(value) ? MODEL_NAMES[value] : 'No model' };
    case 'key':
      return { id: value, name: owners.names.get(value ?? '') ?? '' };
    case 'person':
      return owners.people.get(value ?? '') ?? { id: null, name: 'Programs' };
    default:
      return { id: value, name: value ?? '(none)' };
  }
}
