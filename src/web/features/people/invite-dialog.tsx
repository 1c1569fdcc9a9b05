import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '#contract/permissions.ts';
import type { InvitationCreated } from '#contract/resources/person.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { signInMethodsQuery } from '#web/api/queries/account.ts';
import { useInvite } from '#web/api/queries/people.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { ExactTime } from '#web/ui/display/relative-time.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { RoleField } from './role-field.tsx';

const NAME_MAX_LENGTH = 80;

interface InviteValues {
  name: string;
  email: string;
  role: Role;
}

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync: invite } = useInvite();
  const { data: methods } = useQuery(signInMethodsQuery);
  const [created, setCreated] = useState<InvitationCreated>();
  const form = useDialogForm<InviteValues>({ name: '', email: '', role: 'member' });
  const { register, formState } = form;
  if (created) return <InvitationDialog invitation={created} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title="Invite a person"
      submitLabel="Create invitation"
      awaitsResponse
      onSubmit={async ({ name, email, role }) =>
        setCreated(await invite({ name: name.trim() || null, email: email.trim() || null, role }))
      }
      onClose={onClose}
    >
      <Field
        label="Mail address"
        optional
        hint={methods?.mail ? 'The invitation is mailed there, too.' : 'They can sign in with it later.'}
        error={formState.errors.email?.message}
      >
        <TextInput type="email" {...register('email')} autoComplete="off" placeholder="ana@example.com" />
      </Field>
      <Field label="Name" optional error={formState.errors.name?.message}>
        <TextInput {...register('name')} maxLength={NAME_MAX_LENGTH} autoComplete="off" placeholder="Ana Petrov" />
      </Field>
      <RoleField register={register('role')} />
    </FormDialog>
  );
}

function InvitationDialog({ invitation, onClose }: { invitation: InvitationCreated; onClose: () => void }) {
  const { url, role, email, is_mailed, expires_at } = invitation;
  return (
    <Dialog
      open
      persistent
      title={`Invitation for ${invitation.name ?? email ?? `a new ${ROLE_LABELS[role].label.toLowerCase()}`}`}
      description="Send the link to the person. It is shown only now; if it is lost, revoke the invitation and create another."
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex items-center gap-2 rounded-md border border-line-strong bg-sunken py-1.5 pr-1.5 pl-3">
          <code aria-label="Invitation link" className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-all">
            {url}
          </code>
          <CopyButton labeled text={url} label="Copy link" />
        </div>
        <p className="text-sm text-ink-3">
          {is_mailed ? `It was also mailed to ${email ?? ''}. ` : ''}
          It works once, until <ExactTime at={expires_at} />.
        </p>
      </div>
    </Dialog>
  );
}
