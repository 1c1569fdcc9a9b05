import type { ApiKey } from '#contract/resources/api-key.ts';
import { useRevokeKey } from '#web/queries/keys.ts';
import { signOut } from '#web/session/session.ts';
import { ConsequenceDialog } from '#web/ui/consequence-dialog.tsx';
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
    <ConsequenceDialog
      title="Revoke this key?"
      description={name}
      keep="Keep it"
      go="Revoke the key"
      variant="danger"
      busy={isPending}
      error={error}
      consequences={[
        'Whoever uses it is refused at once. This can’t be undone.',
        'Work it has started goes on, and everything it made stays.',
      ]}
      gravest={isOwn ? 'It is the key you are signed in with: you will be signed out.' : null}
      onGo={revoke}
      onClose={onClose}
    />
  );
}
