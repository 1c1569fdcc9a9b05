import { useState } from 'react';
import type { ApiKeyCreated, KeyKind } from '#contract/resources/api-key.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { useCreateKey } from '#web/api/queries/keys.ts';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { KeyKindField } from './key-kind-field.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';

const NAME_MAX_LENGTH = 80;

interface KeyValues {
  name: string;
  kind: KeyKind;
}

/** Creates a key, then shows it, once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync: createKey } = useCreateKey();
  const [created, setCreated] = useState<ApiKeyCreated>();
  const form = useDialogForm<KeyValues>({ name: '', kind: 'member' });
  const { register, formState } = form;
  if (created) return <NewKeyDialog created={created} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title="New key"
      submitLabel="Create key"
      awaitsResponse
      onSubmit={async ({ name, kind }) => setCreated(await createKey({ name: name.trim(), kind }))}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="The person or program that uses it. Shown next to everything made with it."
        error={formState.errors.name?.message}
      >
        <TextInput
          {...register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
          maxLength={NAME_MAX_LENGTH}
          autoComplete="off"
          placeholder="Ana, or blog import"
        />
      </Field>
      <KeyKindField register={register('kind')} />
    </FormDialog>
  );
}
