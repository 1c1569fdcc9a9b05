import { ApiError } from '#web/api/api-errors.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { ConsequenceList } from '#web/ui/confirm-dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

/** Returns the sentence with the keys that can be named where an error asks for one; undefined for other errors. */
export const readKeyPrompt = (error: unknown): string | undefined =>
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
export function LastAdministratorDialog({
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
