import { useState } from 'react';
import type { Role } from '#contract/permissions.ts';
import type { Person } from '#contract/resources/person.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { useUpdatePerson } from '#web/api/queries/people.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { Callout } from '#web/ui/callout.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { LastAdministratorDialog, readKeyPrompt } from './last-administrator-dialog.tsx';
import { RoleField } from './role-field.tsx';

interface EditPersonDialogProps {
  person: Person;
  isSelf: boolean;
  onClose: () => void;
}

export function EditPersonDialog({ person, isSelf, onClose }: EditPersonDialogProps) {
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
