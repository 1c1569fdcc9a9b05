import { eq } from 'drizzle-orm';
import type { BodyOf } from '#contract/api/endpoints.ts';
import type { InvitationPreview } from '#contract/resources/person.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { invitations } from '#server/platform/db/schema/people-schema.ts';
import { apiKeys, organizations } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { hashCredential } from '#server/accounts/keys/key-credentials.ts';
import { openSession } from '#server/accounts/keys/open-session.ts';
import type { NewSession, SessionOrigin } from '#server/accounts/keys/sessions.ts';
import { createPerson, type PersonDraft, type PersonRow } from './create-person.ts';
import { type InvitationRow, invitationStatus } from './invitations.ts';
import { mailConfirmation } from './own-email.ts';
import { personActor, personTarget } from './present-person.ts';
import { assertEmailFree } from './update-person.ts';

const REJECTIONS = {
  unknown: 'This invitation is not one of this service. Check the link, or ask an administrator for a new one.',
  accepted: 'This invitation was already used. Sign in instead, or ask an administrator for a new one.',
  revoked: 'This invitation was revoked. Ask an administrator for a new one.',
  expired: 'This invitation has expired. Ask an administrator for a new one.',
} as const;

/** Why an invitation was rejected, for the audit log; `message` is shown. */
export class InvitationError extends Error {
  override readonly name = 'InvitationError';
  readonly reason: keyof typeof REJECTIONS;
  readonly invitation: InvitationRow | null;

  constructor(reason: keyof typeof REJECTIONS, invitation: InvitationRow | null) {
    super(REJECTIONS[reason]);
    this.reason = reason;
    this.invitation = invitation;
  }
}

/** @throws {InvitationError} */
async function findPending(tx: Tx, token: string, now: Date): Promise<InvitationRow> {
  const isMatch = eq(invitations.token_sha256, hashCredential(token));
  const [row] = await tx.select().from(invitations).where(isMatch).for('update');
  if (!row) throw new InvitationError('unknown', null);
  const status = invitationStatus(row, now);
  if (status !== 'pending') throw new InvitationError(status, row);
  return row;
}

/** @throws {InvitationError} */
export async function previewInvitation({ db, clock }: Deps, token: string): Promise<InvitationPreview> {
  return db.transaction(async (tx) => {
    const { organization_id, invited_by, name, email, role, expires_at } = await findPending(tx, token, clock.now());
    const [organization] = await tx.select().from(organizations).where(eq(organizations.id, organization_id));
    const [inviter] = invited_by === null ? [] : await tx.select().from(apiKeys).where(eq(apiKeys.id, invited_by));
    return {
      object: 'invitation_preview',
      organization: organization?.name ?? '',
      invited_by: inviter?.name ?? null,
      name,
      email,
      role,
      expires_at: expires_at.toISOString(),
    };
  });
}

/**
 * Creates the invited person and opens a session. Of concurrent attempts, one succeeds. An address that the invitation
 * does not name waits for its confirmation.
 * @throws {InvitationError}
 * @throws {ApiError} 409 `email_taken`; 422 for another address than the invited one
 */
export async function acceptInvitation(
  deps: Deps,
  { token, name, email: chosen = null }: BodyOf<'accept_invitation'>,
  origin: Omit<SessionOrigin, 'method'>,
): Promise<NewSession> {
  const { db, clock } = deps;
  return db.transaction(async (tx) => {
    const invitation = await findPending(tx, token, clock.now());
    if (invitation.email !== null && chosen !== null && chosen !== invitation.email) {
      const message = `This invitation is for ${invitation.email}.`;
      throw new ApiError('invalid_request', message, { status: 422, details: [{ path: 'email', message }] });
    }
    const { email, role } = invitation;
    const pendingEmail = email === null ? chosen : null;
    if (pendingEmail !== null) await assertEmailFree(tx, pendingEmail);
    const person = await join(
      { tx, clock },
      invitation,
      { name, email, pending_email: pendingEmail, role },
      origin.address ?? '',
    );
    if (pendingEmail !== null) await mailConfirmation(deps, tx, person, pendingEmail);
    const session = await openSession({ tx, clock }, person.key_id, { method: 'link', ...origin });
    if (!session) throw new Error('The key of a new person was refused.');
    return session;
  });
}

/** Creates the person of a pending invitation and marks it as used. @throws {ApiError} 409 `email_taken` */
export async function join(
  { tx, clock }: { tx: Tx; clock: Deps['clock'] },
  invitation: InvitationRow,
  draft: Omit<PersonDraft, 'organization_id'>,
  address: string,
): Promise<PersonRow> {
  if (draft.email !== null) await assertEmailFree(tx, draft.email);
  const { organization_id } = invitation;
  const person = await createPerson({ tx, clock }, { organization_id, ...draft });
  await tx.update(invitations).set({ accepted_by: person.id }).where(eq(invitations.id, invitation.id));
  const { role, email, pending_email } = person;
  const after = { role, email, ...(pending_email === null ? {} : { pending_email }), invitation: invitation.id };
  const change = { action: 'person.joined', target: personTarget(person), after } as const;
  await recordAuditEvent(tx, personActor(person, address), change, clock.now());
  return person;
}
