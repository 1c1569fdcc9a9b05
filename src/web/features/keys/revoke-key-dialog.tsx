import type { ApiKey } from '#contract/resources/api-key.ts';
import { keyIdSuffix } from '#web/api/queries/key-labels.ts';
import { useRevokeKey } from '#web/api/queries/keys.ts';
import { signOut } from '#web/api/session/session.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { showToast } from '#web/ui/toast-store.ts';

export interface RevokeKeyDialogProps {
  apiKey: ApiKey;
  isOwn: boolean;
  onClose: () => void;
}

export function RevokeKeyDialog({ apiKey, isOwn, onClose }: RevokeKeyDialogProps) {
  const { id, name, created_at, last_used_at } = apiKey;
  const { mutate, isPending, error } = useRevokeKey();
  const revoke = () =>
    mutate(id, {
      onSuccess: () => {
        showToast({ title: 'Key revoked', detail: `“${name}” (${keyIdSuffix(id)}) no longer works.` });
        onClose();
        if (isOwn) signOut();
      },
    });
  return (
    <ConfirmDialog
      title="Revoke this key?"
      description={
        <>
          <span className="font-medium text-ink-2">{name}</span> · ID {keyIdSuffix(id)}
          <br />
          Created <ExactTime at={created_at} />,{' '}
          {last_used_at ? (
            <>
              last used <ExactTime at={last_used_at} />
            </>
          ) : (
            'never used'
          )}
        </>
      }
      cancelLabel="Cancel"
      confirmLabel="Revoke key"
      variant="danger"
      busy={isPending}
      error={error}
      consequences={[
        'The key stops working immediately. This can’t be undone.',
        'Queued work is canceled and workflow runs stop. Running work finishes and is charged.',
        'Everything created with it is kept.',
      ]}
      gravest={isOwn ? 'You are signed in with this key and will be signed out.' : null}
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}
