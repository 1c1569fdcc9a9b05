import { useQuery } from '@tanstack/react-query';
import { PenLine, UserMinus } from 'lucide-react';
import { useState } from 'react';
import type { Person } from '#contract/resources/person.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { Avatar } from '#web/ui/display/avatar.tsx';
import { Badge } from '#web/ui/display/badge.tsx';
import { MoreMenu, MenuItem } from '#web/ui/overlays/menu.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { useRemovePerson, useUpdatePerson } from '#web/api/queries/people.ts';
import { ConfirmDialog, ConsequenceList } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import type { Role } from '#contract/permissions.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { RoleField } from './role-field.tsx';
import { ApiError } from '#web/api/api-errors.ts';

export function PersonRow({ row: person }: { row: Person }) {
  const canManage = useCan('people.manage');
  const { data: me } = useQuery(meQuery);
  const [dialog, setDialog] = useState<'edit' | 'remove' | null>(null);
  const { id, name, email, role, last_active_at, removed_at } = person;
  const { label, description } = ROLE_LABELS[role];
  const isSelf = me?.person?.id === id;
  const close = () => setDialog(null);
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 px-4 py-3 md:grid-cols-[auto_minmax(0,1fr)_8rem_9rem_2.25rem]">
      <Avatar id={id} name={name} size="lg" className={removed_at ? 'opacity-50' : undefined} />
      <div className="min-w-0">
        <p className="flex items-center gap-2">
          <bdi className="min-w-0 truncate font-medium">{name}</bdi>
          {isSelf ? <Badge tone="amber">You</Badge> : null}
        </p>
        <p className="truncate text-sm text-ink-3">{email ?? 'No mail address'}</p>
      </div>
      <p className="max-md:col-start-2 max-md:row-start-2">
        <Badge hint={description}>{label}</Badge>
      </p>
      <p className="text-sm text-ink-3 max-md:col-span-2 max-md:col-start-2">
        {removed_at ? 'Removed ' : last_active_at ? 'Active ' : 'Not active yet'}
        {removed_at || last_active_at ? (
          <RelativeTime at={removed_at ?? last_active_at ?? ''} className="text-ink-2" />
        ) : null}
      </p>
      <span className="max-md:col-start-3 max-md:row-start-1">
        {canManage && !removed_at ? (
          <MoreMenu label={`Actions for ${name}`}>
            <MenuItem icon={<PenLine aria-hidden="true" />} onSelect={() => setDialog('edit')}>
              Change name or role…
            </MenuItem>
            <MenuItem icon={<UserMinus aria-hidden="true" />} tone="danger" onSelect={() => setDialog('remove')}>
              Remove…
            </MenuItem>
          </MoreMenu>
        ) : null}
      </span>
      {dialog === 'edit' ? <EditPersonDialog person={person} isSelf={isSelf} onClose={close} /> : null}
      {dialog === 'remove' ? <RemovePersonDialog person={person} isSelf={isSelf} onClose={close} /> : null}
    </div>
  );
}

interface RemovePersonDialogProps {
  person: Person;
  isSelf: boolean;
  onClose: () => void;
}

function RemovePersonDialog({ person: { id, name, email, role }, isSelf, onClose }: RemovePersonDialogProps) {
  const { mutate, mutateAsync, isPending, error } = useRemovePerson();
  const [keyPrompt, setKeyPrompt] = useState<string>();
  const showRemoved = () => {
    showToast({ title: 'Person removed', detail: `${name} is signed out everywhere.` });
    onClose();
  };
  const remove = () =>
    mutate({ id }, { onSuccess: showRemoved, onError: (problem) => setKeyPrompt(readKeyPrompt(problem)) });
  if (keyPrompt !== undefined)
    return (
      <LastAdministratorDialog
        name={name}
        isSelf={isSelf}
        keyPrompt={keyPrompt}
        submitLabel="Remove"
        onSubmit={async (confirmKey) => {
          await mutateAsync({ id, confirmKey });
          showRemoved();
        }}
        onClose={onClose}
      />
    );
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      description={[email, ROLE_LABELS[role].label].filter(Boolean).join(' · ')}
      cancelLabel="Cancel"
      confirmLabel="Remove"
      variant="danger"
      busy={isPending}
      error={error}
      consequences={[
        'Ends at once: their sessions, passkeys and API keys.',
        'Queued work is canceled and workflow runs stop. Running work finishes and is charged.',
        'Stays: everything they made, its cost, and every ledger and log entry, with their name.',
      ]}
      gravest={isSelf ? 'This is you: you will be signed out.' : null}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

interface EditPersonDialogProps {
  person: Person;
  isSelf: boolean;
  onClose: () => void;
}

function EditPersonDialog({ person, isSelf, onClose }: EditPersonDialogProps) {
  const { mutateAsync: update } = useUpdatePerson();
  const form = useDialogForm<{ name: string; role: Role }>({ name: person.name, role: person.role });
  const { register, formState } = form;
  const [keyPrompt, setKeyPrompt] = useState<string>();
  const save = async (confirm_key?: string) => {
    const { name, role } = form.getValues();
    const saved = await update({ id: person.id, name: name.trim(), role, ...(confirm_key && { confirm_key }) });
    showToast({ title: 'Saved', detail: `${saved.name}: ${ROLE_LABELS[saved.role].label}`, tone: 'good' });
    onClose();
  };
  if (keyPrompt !== undefined)
    return (
      <LastAdministratorDialog
        name={person.name}
        isSelf={isSelf}
        keyPrompt={keyPrompt}
        submitLabel="Change role"
        onSubmit={save}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      form={form}
      title={person.name}
      description="A new role takes effect at once."
      submitLabel="Save"
      onSubmit={async () => {
        try {
          await save();
        } catch (error) {
          const prompt = readKeyPrompt(error);
          if (prompt === undefined) throw error;
          setKeyPrompt(prompt);
        }
      }}
      onClose={onClose}
    >
      {isSelf ? (
        <Callout tone="amber" title="This is you">
          With another role you can no longer manage people.
        </Callout>
      ) : null}
      <Field label="Name" error={formState.errors.name?.message}>
        <TextInput
          {...register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
          maxLength={80}
          autoComplete="off"
        />
      </Field>
      <RoleField register={register('role')} />
    </FormDialog>
  );
}

/** Returns the sentence with the keys that can be named where an error asks for one; undefined for other errors. */
const readKeyPrompt = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.details.find(({ path }) => path === 'confirm_key')?.message : undefined;

interface LastAdministratorDialogProps {
  name: string;
  isSelf: boolean;
  /** The sentence of the service that names the keys. */
  keyPrompt: string;
  submitLabel: string;
  onSubmit: (confirmKey: string) => Promise<void>;
  onClose: () => void;
}

/** Explains what nobody can reach any more, and asks for the name of the key that remains. */
function LastAdministratorDialog({
  name,
  isSelf,
  keyPrompt,
  submitLabel,
  onSubmit,
  onClose,
}: LastAdministratorDialogProps) {
  const form = useDialogForm<{ confirm_key: string }>({ confirm_key: '' });
  const { register, formState } = form;
  const problem = formState.errors.confirm_key?.message;
  return (
    <FormDialog
      form={form}
      size="sm"
      title="Go on without an administrator?"
      description={isSelf ? 'You are the last administrator.' : `${name} is the last administrator.`}
      submitLabel={submitLabel}
      variant="danger"
      onSubmit={({ confirm_key }) => onSubmit(confirm_key)}
      onClose={onClose}
    >
      <ConsequenceList
        consequences={[
          'Nobody can manage people, invitations, providers, webhooks, keys or settings in the browser any more. Only auditors can read the audit log.',
          'Only a program with the organization key still can, or somebody who signs in with that key.',
          'To keep an administrator, cancel and make somebody else one first.',
        ]}
        gravest={isSelf ? 'You cannot take this back yourself.' : null}
      />
      <Field label="Name of the key that remains" hint={problem === undefined ? keyPrompt : undefined} error={problem}>
        <TextInput {...register('confirm_key')} maxLength={200} autoComplete="off" spellCheck={false} />
      </Field>
    </FormDialog>
  );
}
