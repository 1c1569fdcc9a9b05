import { eq } from 'drizzle-orm';
import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { SpendingGroup } from '#contract/ledger.ts';
import type { Db } from '#server/db/db.ts';
import { people } from '#server/db/people-schema.ts';
import { apiKeys } from '#server/db/organization-schema.ts';
import type { SpendingBucket } from './spending-buckets.ts';

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

const TAG_PREFIX = 'tag:';

/** Returns the group that a bucket belongs to. */
export function labelBucket(bucket: SpendingBucket, by: SpendingGroup, owners: KeyOwners): SpendingLabel {
  switch (by) {
    case 'task':
      return { id: bucket.task, name: TASKS[bucket.task].name };
    case 'model':
      return bucket.model === null
        ? { id: null, name: 'No model' }
        : { id: bucket.model, name: MODEL_NAMES[bucket.model] };
    case 'key':
      return { id: bucket.key_id, name: owners.names.get(bucket.key_id) ?? '' };
    case 'person':
      return owners.people.get(bucket.key_id) ?? { id: null, name: 'Programs' };
    default: {
      const value = bucket.tags[by.slice(TAG_PREFIX.length)];
      return value === undefined ? { id: null, name: '(none)' } : { id: value, name: value };
    }
  }
}
