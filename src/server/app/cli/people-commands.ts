import { Command, InvalidArgumentError } from 'commander';
import { asc, eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Role, ROLES } from '#contract/permissions.ts';
import { InvitationCreate } from '#contract/resources/person.ts';
import type { AuditActor } from '#server/accounts/audit/record-audit-event.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { findPerson } from '#server/accounts/people/find-person.ts';
import { createInvitation } from '#server/accounts/people/invitations.ts';
import { confirmPendingEmail } from '#server/accounts/people/own-email.ts';
import { updatePerson } from '#server/accounts/people/update-person.ts';
import { removePersonAndCancelWork } from '#server/studio/workflows/remove-person-and-cancel-work.ts';
import { withOrganization, withService } from './cli-session.ts';

type Print = (text: string) => void;

const shellActor = (organizationId: string): AuditActor => ({
  organization_id: organizationId,
  type: 'shell',
  name: 'Command line',
  address: null,
});

const CONFIRM_KEY = ['--confirm-key <name>', 'organization key that remains after the last administrator'] as const;
interface ConfirmKeyOption {
  confirmKey?: string;
}

function parseRole(text: string): Role {
  const role = ROLES.find((option) => option === text);
  if (role) return role;
  throw new InvalidArgumentError(`Choose ${ROLES.join(', ')}.`);
}

export function peopleCommands(print: Print): Command {
  const command = new Command('people').description('list, invite and remove people, and change their roles');

  command
    .command('list')
    .description('list people, oldest first')
    .action(() =>
      withOrganization(async ({ db, organization_id }) => {
        const rows = await db
          .select()
          .from(people)
          .where(eq(people.organization_id, organization_id))
          .orderBy(asc(people.id));
        for (const { id, name, email, pending_email, role, removed_at } of rows) {
          const waiting = pending_email === null ? '' : `  ${pending_email} waits for its confirmation`;
          const state = removed_at === null ? waiting : `  removed ${removed_at.toISOString()}`;
          print(`${id}  ${role.padEnd(13)}  ${(email ?? 'no address').padEnd(32)}  ${name}${state}`);
        }
      }),
    );

  command
    .command('invite')
    .description('print an invitation link; it works once, within 7 days')
    .option('--email <address>', 'mail address; the link is also mailed where SMTP_URL is set')
    .option('--name <name>', 'name of the person')
    .option('--role <role>', ROLES.join(', '), parseRole, 'member')
    .action((options: { email?: string; name?: string; role: Role }) => {
      const parsed = z.safeParse(InvitationCreate, options);
      if (!parsed.success) throw new Error('Enter a mail address such as name@example.com, and a name.');
      return withService(async ({ deps, organization_id }) => {
        print((await createInvitation(deps, shellActor(organization_id), parsed.data)).url);
      });
    });

  command
    .command('remove')
    .description('remove a person; their sessions and keys end at once')
    .argument('<person>', 'id or mail address')
    .option(...CONFIRM_KEY)
    .action((text: string, { confirmKey }: ConfirmKeyOption) =>
      withService(async ({ deps, organization_id }) => {
        const { id, name } = await findPerson(deps.db, organization_id, text);
        await removePersonAndCancelWork(deps, shellActor(organization_id), id, confirmKey);
        print(`${name} is removed.`);
      }),
    );

  command
    .command('confirm-email')
    .description('confirm the new mail address of a person without the link that is mailed to it')
    .argument('<person>', 'id or present mail address')
    .action((text: string) =>
      withService(async ({ deps, organization_id }) => {
        const { id, name } = await findPerson(deps.db, organization_id, text);
        const { email } = await confirmPendingEmail(deps, shellActor(organization_id), id);
        print(`${name} has the mail address ${email}.`);
      }),
    );

  command
    .command('role')
    .description('change the role of a person')
    .argument('<person>', 'id or mail address')
    .argument('<role>', ROLES.join(', '), parseRole)
    .option(...CONFIRM_KEY)
    .action((text: string, role: Role, { confirmKey }: ConfirmKeyOption) =>
      withOrganization(async (session) => {
        const { id, name } = await findPerson(session.db, session.organization_id, text);
        await updatePerson(session, shellActor(session.organization_id), id, { role, confirm_key: confirmKey });
        print(`${name} has the role ${role}.`);
      }),
    );

  return command;
}
