import { type SQL, and, desc, eq, gt, isNotNull, isNull, lt, lte } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#contract/api/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { INVITATION_STATUSES, Invitation, InvitationCreated } from '#contract/resources/person.ts';
import { type AuditActor, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import type { Config } from '#server/platform/core/settings/config.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { parsePageCursor, presentPage } from '#server/platform/core/list-page.ts';
import { invitations } from '#server/platform/db/schema/people-schema.ts';
import { apiKeys, organizations } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { generateInvitationToken, hashCredential } from '#server/accounts/keys/key-credentials.ts';
import { enqueueMail } from '#server/platform/mail/enqueue-mail.ts';
import { assertEmailFree } from './update-person.ts';

export type InvitationRow = typeof invitations.$inferSelect;
type Status = (typeof INVITATION_STATUSES)[number];

const TTL_MS = 7 * 86_400_000;

export function invitationStatus(row: InvitationRow, now: Date): Status {
  if (row.accepted_by !== null) return 'accepted';
  if (row.revoked_at !== null) return 'revoked';
  return row.expires_at <= now ? 'expired' : 'pending';
}

/** @param inviter name of the key or person; null: the command line */
const presentInvitation = (row: InvitationRow, inviter: string | null, now: Date): Invitation => ({
  id: row.id,
  object: 'invitation',
  name: row.name,
  email: row.email,
  role: row.role,
  status: invitationStatus(row, now),
  invited_by: inviter,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});

const invitationTarget = ({ id, name, email }: Pick<InvitationRow, 'id' | 'name' | 'email'>) => ({
  type: 'invitation',
  id,
  name: name ?? email,
});

/** Puts the token into the fragment, which browsers do not send to servers or proxies. */
const buildInvitationUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, token: string): string =>
  `${publicUrl}/invitation#token=${token}`;

/**
 * Invites a person. Only this result contains the link.
 * @throws {ApiError} 409 `email_taken`
 */
export async function createInvitation(
  deps: Deps,
  actor: AuditActor,
  { name = null, email = null, role }: BodyOf<'create_invitation'>,
): Promise<InvitationCreated> {
  const createdAt = deps.clock.now();
  const token = generateInvitationToken();
  const url = buildInvitationUrl(deps.config, token);
  const { organization_id } = actor;
  return deps.db.transaction(async (tx) => {
    if (email !== null) await assertEmailFree(tx, email);
    const [row] = await tx
      .insert(invitations)
      .values({
        id: createId('inv', createdAt),
        organization_id,
        name,
        email,
        role,
        token_sha256: hashCredential(token),
        invited_by: 'key_id' in actor ? actor.key_id : null,
        created_at: createdAt,
        expires_at: new Date(createdAt.getTime() + TTL_MS),
      })
      .returning();
    if (!row) throw new Error('The insert of an invitation returned no row.');
    if (email !== null) {
      const [organization] = await tx.select().from(organizations).where(eq(organizations.id, organization_id));
      const subject = `You are invited to ${organization?.name ?? 'Emulsion'}`;
      const text = `You are invited to join “${organization?.name ?? 'Emulsion'}” as ${role}.\n\nOpen this link within 7 days; it works once:\n${url}\n\nIf you did not expect this, ignore this mail.`;
      await enqueueMail(deps, tx, { organization_id, to: email, subject, text });
    }
    const change = { action: 'person.invited', target: invitationTarget(row), after: { name, email, role } } as const;
    await recordAuditEvent(tx, actor, change, createdAt);
    const inviter = 'key_id' in actor ? (actor.person?.name ?? actor.key_name) : null;
    const isMailed = email !== null && deps.config.mail !== null;
    return { ...presentInvitation(row, inviter, createdAt), url, is_mailed: isMailed };
  });
}

/** @throws {ApiError} 400 `invalid_request` for a cursor that was never issued */
export async function listInvitations(
  { db, clock, secrets }: Deps,
  organizationId: string,
  { limit, cursor, status }: QueryOf<'list_invitations'>,
): Promise<List<Invitation>> {
  const scope = { organization_id: organizationId, list: 'invitations' } as const;
  const before = parsePageCursor(secrets, scope, cursor);
  const now = clock.now();
  const rows = await db
    .select({ invitation: invitations, inviter: apiKeys.name })
    .from(invitations)
    .leftJoin(apiKeys, eq(apiKeys.id, invitations.invited_by))
    .where(
      and(
        eq(invitations.organization_id, organizationId),
        status && hasStatus(status, now),
        before === undefined ? undefined : lt(invitations.id, before),
      ),
    )
    .orderBy(desc(invitations.id))
    .limit(limit + 1);
  return presentPage(secrets, scope, {
    rows,
    limit,
    position: ({ invitation }) => invitation.id,
    present: (page) => page.map(({ invitation, inviter }) => presentInvitation(invitation, inviter, now)),
  });
}

function hasStatus(status: Status, now: Date): SQL | undefined {
  const { accepted_by, revoked_at, expires_at } = invitations;
  const isOpen = and(isNull(accepted_by), isNull(revoked_at));
  const conditions = {
    accepted: isNotNull(accepted_by),
    revoked: and(isNull(accepted_by), isNotNull(revoked_at)),
    expired: and(isOpen, lte(expires_at, now)),
    pending: and(isOpen, gt(expires_at, now)),
  };
  return conditions[status];
}

/** Revokes an invitation; revoking it again has no effect. @returns whether there is one that was not accepted */
export async function revokeInvitation({ db, clock }: Deps, actor: AuditActor, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isOpen = and(
      eq(invitations.organization_id, actor.organization_id),
      eq(invitations.id, id),
      isNull(invitations.accepted_by),
    );
    const [row] = await tx.select().from(invitations).where(isOpen).for('update');
    if (!row) return false;
    if (row.revoked_at !== null) return true;
    const now = clock.now();
    await tx.update(invitations).set({ revoked_at: now }).where(eq(invitations.id, id));
    await recordAuditEvent(tx, actor, { action: 'invitation.revoked', target: invitationTarget(row) }, now);
    return true;
  });
}
