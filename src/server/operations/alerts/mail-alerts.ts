import { and, asc, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import { ALERT_TITLES, type AlertKind } from '#contract/alert-kinds.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { apiKeys, organizations } from '#server/platform/db/schema/organization-schema.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { shares } from '#server/platform/db/schema/share-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { enqueueMail } from '#server/platform/mail/enqueue-mail.ts';
import type { AlertRow } from './present-alert.ts';

/** An organization with more administrators and auditors has a mailing list that it can name instead. */
const MAX_RECIPIENTS = 50;

/** Enqueues one mail per recipient for each alert, in the transaction that raises it. */
export async function mailAlerts(deps: Deps, tx: Tx, organizationId: string, raised: readonly AlertRow[]) {
  if (deps.config.mail === null) return;
  const { name, recipients } = await findRecipients(tx, organizationId);
  for (const { kind, subject_id, message } of raised) {
    const subject = `${ALERT_TITLES[kind]} · Emulsion`;
    const sharer = isOfClient(kind) ? await findSharer(tx, subject_id) : null;
    const text = sharer
      ? `${message}\n\nSee the answers:\n${deps.config.publicUrl}/library?link=${subject_id}`
      : `${message}\n\nSee all alerts of ${name}:\n${deps.config.publicUrl}/alerts\n\nAdministrators choose under Settings who gets these mails.`;
    for (const to of sharer ? [sharer] : recipients)
      await enqueueMail(deps, tx, { organization_id: organizationId, to, subject, text });
  }
}

const isOfClient = (kind: AlertKind): boolean => kind === 'client_answered' || kind === 'client_approved';

/** The confirmed address of the person who shared a page. */
async function findSharer(tx: Tx, shareId: string): Promise<string | null> {
  const [sharer] = await tx
    .select({ email: people.email })
    .from(shares)
    .innerJoin(apiKeys, eq(apiKeys.id, shares.created_by))
    .innerJoin(people, and(eq(people.id, apiKeys.person_id), isNull(people.removed_at)))
    .where(eq(shares.id, shareId));
  return sharer?.email ?? null;
}

/** Pending addresses are left out: a typing error would tell a stranger. */
async function findRecipients(tx: Tx, organizationId: string): Promise<{ name: string; recipients: string[] }> {
  const { name, alert_mail_roles, alert_mail_to } = organizations;
  const [settings] = await tx
    .select({ name, alert_mail_roles, alert_mail_to })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (!settings) return { name: '', recipients: [] };
  const readers = await tx
    .select({ email: people.email })
    .from(people)
    .where(
      and(
        eq(people.organization_id, organizationId),
        inArray(people.role, settings.alert_mail_roles),
        isNotNull(people.email),
        isNull(people.removed_at),
      ),
    )
    .orderBy(asc(people.id))
    .limit(MAX_RECIPIENTS);
  const addresses = [...settings.alert_mail_to, ...readers.flatMap(({ email }) => email ?? [])];
  return { name: settings.name, recipients: [...new Set(addresses)].slice(0, MAX_RECIPIENTS) };
}
