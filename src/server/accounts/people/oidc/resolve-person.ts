import { and, desc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import type { OidcSettings } from '#server/platform/core/settings/oidc-settings.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { invitations, people } from '#server/platform/db/schema/people-schema.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { lockOrganization } from '#server/accounts/keys/lock-key.ts';
import { join } from '#server/accounts/people/accept-invitation.ts';
import { hasOtherAdministrator } from '#server/accounts/people/assert-administrator-remains.ts';
import { createPerson, type PersonRow } from '#server/accounts/people/create-person.ts';
import { personActor, personTarget } from '#server/accounts/people/present-person.ts';
import { applyChange, assertEmailFree, findActivePerson } from '#server/accounts/people/update-person.ts';
import { OidcSignInError } from './oidc-error.ts';
import type { Identity } from './read-identity.ts';

type ResolveDeps = Deps & { tx: Tx };

/**
 * Finds or creates the person of an identity: known by it, by their mail address, invited, or new where the
 * settings have a role for new people. Decision: People
 * @throws {OidcSignInError}
 */
export async function resolvePerson(
  deps: ResolveDeps,
  { default_role }: OidcSettings,
  identity: Identity,
  address: string,
): Promise<PersonRow> {
  const { tx, clock } = deps;
  const { issuer, subject, email } = identity;
  const isKnown = and(eq(people.oidc_issuer, issuer), eq(people.oidc_subject, subject));
  const [known] = await tx
    .select()
    .from(people)
    .where(and(isKnown, isNull(people.removed_at)));
  if (known) return applyRole(deps, known, identity, address);
  const [same_email] = await tx
    .select()
    .from(people)
    .where(and(eq(people.email, email), isNull(people.removed_at)));
  if (same_email) {
    if (same_email.oidc_subject !== null) throw new OidcSignInError('oidc_not_invited');
    return applyRole(deps, await link(tx, same_email, identity), identity, address);
  }
  const draft = { name: identity.name, email };
  const invitation = await findInvitation(tx, email, clock.now());
  if (invitation) {
    const role = identity.role ?? invitation.role;
    return link(tx, await join(deps, invitation, { ...draft, role }, address), identity);
  }
  const isRemoved = and(or(isKnown, eq(people.email, email)), isNotNull(people.removed_at));
  if ((await tx.$count(people, isRemoved)) > 0) throw new OidcSignInError('oidc_removed');
  if (default_role === null) throw new OidcSignInError('oidc_not_invited');
  await assertEmailFree(tx, email);
  const [organization] = await tx.select().from(organizations).orderBy(organizations.id).limit(1);
  if (!organization) throw new OidcSignInError('oidc_not_invited');
  const role = identity.role ?? default_role;
  const created = await createPerson(deps, { organization_id: organization.id, ...draft, role });
  const change = { action: 'person.joined', target: personTarget(created), after: { role, email } } as const;
  await recordAuditEvent(tx, personActor(created, address), change, clock.now());
  return link(tx, created, identity);
}

async function link(tx: Tx, person: PersonRow, { issuer, subject }: Identity): Promise<PersonRow> {
  const identity = { oidc_issuer: issuer, oidc_subject: subject };
  const [linked] = await tx.update(people).set(identity).where(eq(people.id, person.id)).returning();
  if (!linked) throw new Error(`There is no person ${person.id}.`);
  return linked;
}

async function findInvitation(tx: Tx, email: string, now: Date) {
  const isPending = and(
    eq(invitations.email, email),
    isNull(invitations.accepted_by),
    isNull(invitations.revoked_at),
    gt(invitations.expires_at, now),
  );
  const newest = desc(invitations.id);
  const [row] = await tx.select().from(invitations).where(isPending).orderBy(newest).limit(1).for('update');
  return row;
}

/** Takes over the role that the provider names, unless nobody else administers the organization. */
async function applyRole(
  { tx, clock }: ResolveDeps,
  known: PersonRow,
  { role }: Identity,
  address: string,
): Promise<PersonRow> {
  if (role === null || role === known.role) return known;
  await lockOrganization(tx, known.organization_id);
  // The role may have changed before the lock.
  const person = await findActivePerson(tx, known.organization_id, known.id);
  if (!person) throw new OidcSignInError('oidc_removed');
  const now = clock.now();
  const actor = personActor(person, address);
  if (person.role !== 'administrator' || role === 'administrator' || (await hasOtherAdministrator(tx, person)))
    return applyChange(tx, actor, person, { role }, now);
  const kept = { before: { role: person.role }, after: { claimed_role: role } };
  await recordAuditEvent(tx, actor, { action: 'person.role_kept', target: personTarget(person), ...kept }, now);
  return person;
}
