import { and, eq, inArray, isNull } from 'drizzle-orm';
import { type AuditActor, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { invitations, passkeys, people, signInChallenges } from '#server/platform/db/schema/people-schema.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { sessions, signInTokens } from '#server/platform/db/schema/session-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { lockOrganization } from '#server/accounts/keys/lock-key.ts';
import { assertAdministratorRemains } from './assert-administrator-remains.ts';
import { personTarget } from './present-person.ts';
import { findActivePerson } from './update-person.ts';

/**
 * Removes a person: their sessions, passkeys, links, keys and pending invitations end, their work and entries stay.
 * @returns the keys that were revoked, whose queued work is still to be canceled; null if there is no such person
 * @param confirmKey names the organization key that remains after the last administrator
 * @throws {ApiError} 422 for `confirm_key`; 409 `last_administrator`
 */
export async function removePerson(
  { db, clock }: Deps,
  actor: AuditActor,
  personId: string,
  confirmKey: string | undefined,
): Promise<{ id: string; name: string }[] | null> {
  return db.transaction(async (tx) => {
    await lockOrganization(tx, actor.organization_id);
    const person = await findActivePerson(tx, actor.organization_id, personId);
    if (!person) return null;
    const removedAt = clock.now();
    const remainingKey =
      person.role === 'administrator' ? await assertAdministratorRemains(tx, person, confirmKey) : null;
    const isTheirs = eq(apiKeys.person_id, person.id);
    const revoked = await tx
      .update(apiKeys)
      .set({ revoked_at: removedAt })
      .where(and(isTheirs, isNull(apiKeys.revoked_at)))
      .returning({ id: apiKeys.id, name: apiKeys.name, is_person: apiKeys.is_person });
    const keyIds = tx.select({ id: apiKeys.id }).from(apiKeys).where(isTheirs);
    await tx.delete(sessions).where(inArray(sessions.key_id, keyIds));
    await tx.delete(signInTokens).where(inArray(signInTokens.key_id, keyIds));
    await tx.delete(passkeys).where(eq(passkeys.person_id, person.id));
    await tx.delete(signInChallenges).where(eq(signInChallenges.person_id, person.id));
    await tx
      .update(invitations)
      .set({ revoked_at: removedAt })
      .where(
        and(inArray(invitations.invited_by, keyIds), isNull(invitations.accepted_by), isNull(invitations.revoked_at)),
      );
    await tx.update(people).set({ removed_at: removedAt, pending_email: null }).where(eq(people.id, person.id));
    const change = {
      action: 'person.removed',
      target: personTarget(person),
      before: { role: person.role },
      after: remainingKey === null ? undefined : { remaining_key: remainingKey },
    } as const;
    await recordAuditEvent(tx, actor, change, removedAt);
    // Their sessions' key row is in no list of keys: its end is that of the person.
    for (const { id, name } of revoked.filter(({ is_person }) => !is_person).sort((a, b) => (a.id < b.id ? -1 : 1))) {
      const target = { type: 'key', id, name };
      const before = { person_id: person.id };
      await recordAuditEvent(tx, actor, { action: 'key.revoked', target, before }, removedAt);
    }
    return revoked;
  });
}
