import { useState } from 'react';
import type { Person } from '#contract/resources/person.ts';
import { useRemovePerson } from '#web/api/queries/people.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { LastAdministratorDialog, readKeyPrompt } from './last-administrator-dialog.tsx';

interface RemovePersonDialogProps {
  person: Person;
  isSelf: boolean;
  onClose: () => void;
}

export function RemovePersonDialog({ person: { id, name, email, role }, isSelf, onClose }: RemovePersonDialogProps) {
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
