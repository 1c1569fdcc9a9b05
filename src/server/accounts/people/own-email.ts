import { and, eq, gt } from 'drizzle-orm';
import type { BodyOf } from '#contract/api/endpoints.ts';
import type { AuditActor } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { signInChallenges } from '#server/platform/db/schema/people-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { generateEmailToken, hashCredential } from '#server/accounts/keys/key-credentials.ts';
import { enqueueMail } from '#server/platform/mail/enqueue-mail.ts';
import type { PersonRow } from './create-person.ts';
import { storeChallenge } from './sign-in-challenges.ts';
import { applyChange, assertEmailFree, findActivePerson } from './update-person.ts';

type PersonCaller = Caller & { person: NonNullable<Caller['person']> };

const LINK_TTL_MS = 24 * 3_600_000;

/**
 * Changes one's own name, and asks for the confirmation of a new mail address. Decision: Mail addresses
 * @throws {ApiError} 409 `email_taken`
 */
export async function updateProfile(
  deps: Deps,
  caller: PersonCaller,
  { name, email }: BodyOf<'update_me'>,
): Promise<PersonRow> {
  return withPerson(deps, caller, caller.person.id, async (tx, person, now) => {
    if (email === person.email) return applyChange(tx, caller, person, { name }, now);
    if (email !== null) await assertEmailFree(tx, email, person.id);
    const isVouched = deps.config.mail === null && caller.permissions.has('people.manage');
    if (email === null || isVouched) return replaceEmail(deps, tx, caller, person, { name, email }, now);
    await deleteConfirmations(tx, person.id);
    await mailConfirmation(deps, tx, person, email);
    return applyChange(tx, caller, person, { name, pending_email: email }, now);
  });
}

/** @throws {ApiError} 400 for a link that is unknown, used, expired or somebody else's; 409 `email_taken` */
export async function confirmEmail(deps: Deps, caller: PersonCaller, token: string): Promise<PersonRow> {
  return withPerson(deps, caller, caller.person.id, async (tx, person, now) => {
    const isOwnLink = and(
      eq(signInChallenges.id_sha256, hashCredential(token)),
      eq(signInChallenges.purpose, 'email.confirm'),
      eq(signInChallenges.person_id, person.id),
      gt(signInChallenges.expires_at, now),
    );
    const [link] = await tx.select().from(signInChallenges).where(isOwnLink);
    if (!link || link.value !== person.pending_email) {
      const message =
        'This link does not confirm an address of your account. It was used, replaced or has expired, or it is for another account. Send a new one under “Your account”.';
      throw new ApiError('invalid_request', message);
    }
    await assertEmailFree(tx, link.value, person.id);
    return replaceEmail(deps, tx, caller, person, { email: link.value }, now);
  });
}

/** @throws {ApiError} 400 where no address waits, or no mail is set up */
export async function resendConfirmation(deps: Deps, caller: PersonCaller): Promise<void> {
  if (deps.config.mail === null) throw new ApiError('invalid_request', 'This service sends no mail. See SMTP_URL.');
  await withPerson(deps, caller, caller.person.id, async (tx, person) => {
    await mailConfirmation(deps, tx, person, requirePending(person));
  });
}

export async function cancelPendingEmail(deps: Deps, caller: PersonCaller): Promise<void> {
  await withPerson(deps, caller, caller.person.id, async (tx, person, now) => {
    await deleteConfirmations(tx, person.id);
    await applyChange(tx, caller, person, { pending_email: null }, now);
  });
}

/**
 * Confirms an address for somebody who operates the service and vouches for it.
 * @throws {ApiError} 404, 400 where no address waits, 409 `email_taken`
 */
export async function confirmPendingEmail(deps: Deps, actor: AuditActor, personId: string): Promise<PersonRow> {
  return withPerson(deps, actor, personId, async (tx, person, now) => {
    const email = requirePending(person);
    await assertEmailFree(tx, email, person.id);
    return replaceEmail(deps, tx, actor, person, { email }, now);
  });
}

function withPerson<T>(
  { db, clock }: Deps,
  { organization_id }: Pick<AuditActor, 'organization_id'>,
  personId: string,
  work: (tx: Tx, person: PersonRow, now: Date) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    const person = await findActivePerson(tx, organization_id, personId);
    if (!person) throw new ApiError('not_found', 'Person not found.');
    return work(tx, person, clock.now());
  });
}

function requirePending({ pending_email }: PersonRow): string {
  if (pending_email !== null) return pending_email;
  throw new ApiError('invalid_request', 'No mail address waits for its confirmation.');
}

/** Puts a confirmed address in force and tells the previous one. */
async function replaceEmail(
  deps: Deps,
  tx: Tx,
  actor: AuditActor,
  person: PersonRow,
  change: { name?: string; email: string | null },
  now: Date,
): Promise<PersonRow> {
  await deleteConfirmations(tx, person.id);
  const next = change.email === null ? 'removed' : `changed to ${change.email}`;
  await warnPerson(deps, tx, person, 'Your mail address was changed', `The mail address of your account was ${next}.`);
  return applyChange(tx, actor, person, { ...change, pending_email: null }, now);
}

/** Mails a change of how somebody signs in to the address in force, so that its owner notices a stranger's. */
export async function warnPerson(
  deps: Deps,
  tx: Tx,
  { organization_id, email }: Pick<PersonRow, 'organization_id' | 'email'>,
  subject: string,
  sentence: string,
): Promise<void> {
  if (email === null) return;
  const text = `${sentence}\n\nIf this was not you, tell an administrator at once.\n\nSee your account:\n${deps.config.publicUrl}/account`;
  await enqueueMail(deps, tx, { organization_id, to: email, subject: `${subject} · Emulsion`, text });
}

/** Does nothing where mail is not set up. */
export async function mailConfirmation(deps: Deps, tx: Tx, person: PersonRow, email: string): Promise<void> {
  if (deps.config.mail === null) return;
  const { id: person_id, organization_id } = person;
  const token = generateEmailToken();
  const challenge = { purpose: 'email.confirm', value: email, person_id } as const;
  await storeChallenge({ db: tx, clock: deps.clock }, token, challenge, LINK_TTL_MS);
  const [organization] = await tx.select().from(organizations).where(eq(organizations.id, organization_id));
  const text = `Somebody entered this mail address for an account of ${organization?.name ?? 'Emulsion'}.\n\nIf it was you, open this link within 24 hours, in the browser where you are signed in:\n${deps.config.publicUrl}/account#token=${token}\n\nOtherwise ignore this mail: without the link nothing changes.`;
  await enqueueMail(deps, tx, { organization_id, to: email, subject: 'Confirm your mail address · Emulsion', text });
}

async function deleteConfirmations(tx: Tx, personId: string): Promise<void> {
  const isTheirs = and(eq(signInChallenges.person_id, personId), eq(signInChallenges.purpose, 'email.confirm'));
  await tx.delete(signInChallenges).where(isTheirs);
}
