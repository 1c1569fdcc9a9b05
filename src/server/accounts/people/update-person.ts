import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import { hasReadOnlyKeys, type Role } from '#contract/permissions.ts';
import { type AuditActor, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { lockOrganization } from '#server/accounts/keys/lock-key.ts';
import { assertAdministratorRemains } from './assert-administrator-remains.ts';
import type { PersonRow } from './create-person.ts';
import { personTarget } from './present-person.ts';

export interface PersonChange {
  name?: string;
  role?: Role;
  email?: string | null;
  pending_email?: string | null;
  /** Names the organization key that remains after the last administrator. */
  confirm_key?: string | undefined;
}

/**
 * Changes an active person.
 * @returns null if the organization has no such person
 * @throws {ApiError} 422 for `confirm_key`; 409 `last_administrator`
 */
export async function updatePerson(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: AuditActor,
  personId: string,
  change: Pick<PersonChange, 'name' | 'role' | 'confirm_key'>,
): Promise<PersonRow | null> {
  return db.transaction(async (tx) => {
    await lockOrganization(tx, actor.organization_id);
    const person = await findActivePerson(tx, actor.organization_id, personId);
    if (!person) return null;
    const now = clock.now();
    const isDemoted = person.role === 'administrator' && (change.role ?? person.role) !== 'administrator';
    const { confirm_key, ...rest } = change;
    const remainingKey = isDemoted ? await assertAdministratorRemains(tx, person, confirm_key) : null;
    return applyChange(tx, actor, person, { ...rest, remaining_key: remainingKey }, now);
  });
}

/** Writes a change that was validated, with its audit event. */
export async function applyChange(
  tx: Tx,
  actor: AuditActor,
  person: PersonRow,
  { remaining_key = null, ...change }: Omit<PersonChange, 'confirm_key'> & { remaining_key?: string | null },
  now: Date,
): Promise<PersonRow> {
  const after = {
    ...(change.name !== undefined && change.name !== person.name ? { name: change.name } : {}),
    ...(change.role !== undefined && change.role !== person.role ? { role: change.role } : {}),
    ...(change.email !== undefined && change.email !== person.email ? { email: change.email } : {}),
    ...(change.pending_email !== undefined && change.pending_email !== person.pending_email
      ? { pending_email: change.pending_email }
      : {}),
  };
  if (Object.keys(after).length === 0) return person;
  const [updated] = await tx.update(people).set(after).where(eq(people.id, person.id)).returning();
  if (!updated) throw new Error(`There is no person ${person.id}.`);
  if (after.name !== undefined) await tx.update(apiKeys).set({ name: after.name }).where(eq(apiKeys.id, person.key_id));
  const before = Object.fromEntries(Object.keys(after).map((field) => [field, person[field as keyof typeof after]]));
  const recorded = remaining_key === null ? after : { ...after, remaining_key };
  const event = { action: 'person.updated', target: personTarget(person), before, after: recorded } as const;
  await recordAuditEvent(tx, actor, event, now);
  if (after.role !== undefined && hasReadOnlyKeys(person.role)) await endReadOnlyKeys(tx, actor, person, now);
  return updated;
}

/** In another role, these keys could do what nobody meant them to. Decision: Roles */
async function endReadOnlyKeys(tx: Tx, actor: AuditActor, { id: person_id }: PersonRow, now: Date): Promise<void> {
  const isTheirs = and(eq(apiKeys.person_id, person_id), eq(apiKeys.is_person, false), isNull(apiKeys.revoked_at));
  const isReadOnly = sql`${apiKeys.scopes} @> '{"read_only": true}'`;
  const { id, name } = apiKeys;
  const ended = await tx
    .update(apiKeys)
    .set({ revoked_at: now })
    .where(and(isTheirs, isReadOnly))
    .returning({ id, name });
  for (const key of ended.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const target = { type: 'key', ...key };
    await recordAuditEvent(tx, actor, { action: 'key.revoked', target, before: { person_id } }, now);
  }
}

export async function findActivePerson(tx: Tx, organizationId: string, id: string): Promise<PersonRow | undefined> {
  const [person] = await tx
    .select()
    .from(people)
    .where(and(eq(people.organization_id, organizationId), eq(people.id, id), isNull(people.removed_at)))
    .for('no key update');
  return person;
}

/** Until the transaction ends, nobody else gets this address. @throws {ApiError} 409 `email_taken` */
export async function assertEmailFree(tx: Tx, email: string, person_id = ''): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`person ${email}`}, 0))`);
  const isOther = and(eq(people.email, email), isNull(people.removed_at), ne(people.id, person_id));
  if ((await tx.$count(people, isOther)) === 0) return;
  throw new ApiError('email_taken', `Somebody with the address ${email} has an account already.`);
}
