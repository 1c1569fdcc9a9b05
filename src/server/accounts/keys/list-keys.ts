import { type SQL, and, desc, eq } from 'drizzle-orm';
import type { Role } from '#contract/permissions.ts';
import type { ApiKey } from '#contract/resources/api-key.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type KeyRow, presentKey } from './present-key.ts';

export type KeyManager = Pick<Caller, 'organization_id' | 'permissions' | 'person'>;

/** Returns the condition for the keys that a caller may manage: those of the organization, or their own. */
const isManagedBy = ({ organization_id, permissions, person }: KeyManager): SQL | undefined =>
  and(
    eq(apiKeys.organization_id, organization_id),
    eq(apiKeys.is_person, false),
    permissions.has('keys.manage') ? undefined : eq(apiKeys.person_id, person?.id ?? ''),
  );

export async function listKeys({ db, clock }: Pick<Deps, 'db' | 'clock'>, manager: KeyManager): Promise<ApiKey[]> {
  const rows = await selectKeys(db).where(isManagedBy(manager)).orderBy(desc(apiKeys.id));
  return rows.map(({ key, person_name }) => presentKey(key, person_name, clock.now()));
}

/** @returns null if there is no such key, or the caller may not manage it */
export async function lockManagedKey(
  tx: Tx,
  manager: KeyManager,
  keyId: string,
): Promise<{ key: KeyRow; person_name: string | null; role: Role | null } | null> {
  const [match] = await selectKeys(tx)
    .where(and(isManagedBy(manager), eq(apiKeys.id, keyId)))
    .for('no key update', { of: apiKeys });
  return match ?? null;
}

const selectKeys = (db: Db | Tx) =>
  db
    .select({ key: apiKeys, person_name: people.name, role: people.role })
    .from(apiKeys)
    .leftJoin(people, eq(people.id, apiKeys.person_id));
