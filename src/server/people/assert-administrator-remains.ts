import { and, eq, gt, isNull, ne, or } from 'drizzle-orm';
import { ApiError } from '#server/core/api-error.ts';
import { people } from '#server/db/people-schema.ts';
import { apiKeys, organizations } from '#server/db/organization-schema.ts';
import type { Tx } from '#server/db/db.ts';
import type { PersonRow } from './create-person.ts';

/** Serializes changes of who administers an organization. Call it first in the transaction. */
export async function lockOrganization(tx: Tx, organization_id: string): Promise<void> {
  await tx.select().from(organizations).where(eq(organizations.id, organization_id)).for('no key update');
}

/** Returns whether an organization has an administrator or organization key without this person. Decision: People */
export async function hasOtherAdministrator(
  tx: Tx,
  { id, organization_id }: Pick<PersonRow, 'id' | 'organization_id'>,
  now: Date,
): Promise<boolean> {
  const is_other = and(
    eq(people.organization_id, organization_id),
    eq(people.role, 'administrator'),
    isNull(people.removed_at),
    ne(people.id, id),
  );
  if ((await tx.$count(people, is_other)) > 0) return true;
  // Keys of a person have the rights of that person at most.
  const is_organization_key = and(
    eq(apiKeys.organization_id, organization_id),
    eq(apiKeys.kind, 'organization'),
    isNull(apiKeys.person_id),
    isNull(apiKeys.revoked_at),
    or(isNull(apiKeys.expires_at), gt(apiKeys.expires_at, now)),
  );
  return (await tx.$count(apiKeys, is_organization_key)) > 0;
}

/** @throws {ApiError} 409 `last_administrator` */
export async function assertAdministratorRemains(tx: Tx, person: PersonRow, now: Date): Promise<void> {
  if (await hasOtherAdministrator(tx, person, now)) return;
  throw new ApiError(
    'last_administrator',
    `“${person.name}” is the last administrator. Make somebody else an administrator first.`,
  );
}
