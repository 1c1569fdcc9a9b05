import { and, desc, eq, isNull, ne } from 'drizzle-orm';
import { ApiError } from '#server/platform/core/api-error.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { isLastingAdminKey } from '#server/accounts/keys/revoke-key.ts';
import type { PersonRow } from './create-person.ts';

/** Returns whether another person administers the organization; keys do not count. Decision: People */
export async function hasOtherAdministrator(
  tx: Tx,
  { id, organization_id }: Pick<PersonRow, 'id' | 'organization_id'>,
): Promise<boolean> {
  const isOther = and(
    eq(people.organization_id, organization_id),
    eq(people.role, 'administrator'),
    isNull(people.removed_at),
    ne(people.id, id),
  );
  return (await tx.$count(people, isOther)) > 0;
}

const MAX_NAMED_KEYS = 3;

/**
 * Under the lock of the organization, allows an administrator to lose the role.
 * @param confirmKey names an organization key that remains, where nobody else is an administrator
 * @returns for the audit log, the key that remains; null: another administrator does
 * @throws {ApiError} 422 with the path `confirm_key` where a key can be named; 409 `last_administrator` where none remains
 */
export async function assertAdministratorRemains(
  tx: Tx,
  person: PersonRow,
  confirmKey: string | undefined,
): Promise<string | null> {
  if (await hasOtherAdministrator(tx, person)) return null;
  const keys = await tx
    .select({ name: apiKeys.name })
    .from(apiKeys)
    .where(isLastingAdminKey(person.organization_id))
    .orderBy(desc(apiKeys.id));
  const names = [...new Set(keys.map(({ name }) => name))];
  const confirmed = names.find((name) => name.trim() === confirmKey?.trim());
  if (confirmed !== undefined) return confirmed;
  const advice = `“${person.name}” is the last administrator. Make somebody else an administrator first.`;
  if (names.length === 0) throw new ApiError('last_administrator', advice);
  const named = names.slice(0, MAX_NAMED_KEYS).map((name) => `“${name}”`);
  const message = `Enter the name of an organization key that remains: ${named.join(' or ')}.`;
  throw new ApiError('invalid_request', `${advice} Or send the name of the key that remains as confirm_key.`, {
    status: 422,
    details: [{ path: 'confirm_key', message }],
  });
}
