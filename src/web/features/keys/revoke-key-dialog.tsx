import type { ApiKey } from '#contract/resources/api-key.ts';
import { useRevokeKey } from '#web/queries/keys.ts';
import { signOut } from '#web/session/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ErrorText } from '#web/ui/field.tsx';
import { showToast } from '#web/ui/toast-store.ts';

export interface RevokeKeyDialogProps {
  apiKey: ApiKey;
  isOwn: boolean;
  onClose: () => void;
}

/** Says what revoking does before it is done. */
export function RevokeKeyDialog({ apiKey: { id, name }, isOwn, onClose }: RevokeKeyDialogProps) {
  const { mutate, isPending, error } = useRevokeKey();
  const revoke = () =>
    mutate(id, {
      onSuccess: () => {
        showToast({ title: 'Key revoked', detail: `“${name}” is refused from now on.` });
        onClose();
        if (isOwn) signOut();
      },
    });
  return (
    <Dialog
      open
      size="sm"
      title="Revoke this key?"
      description={name}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button variant="danger" busy={isPending} onClick={revoke}>
            Revoke the key
          </Button>
        </>
      }
    >
      <ul className="flex list-disc flex-col gap-1.5 pl-4 text-ink-2 marker:text-ink-3">
        <li>Whoever uses it is refused at once. This can’t be undone.</li>
        <li>Work it has started goes on, and everything it made stays.</li>
        {isOwn ? (
          <li className="font-medium text-ink">It is the key you are signed in with: you will be signed out.</li>
        ) : null}
      </ul>
      {error instanceof Error ? (
        <div className="mt-4">
          <ErrorText>{error.message}</ErrorText>
        </div>
      ) : null}
    </Dialog>
  );
}
