import { useNavigate } from '@tanstack/react-router';
import { KeyRound, RotateCcw, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { useRotateSecret, useDeleteWebhook, useTestWebhook } from '#web/api/queries/webhooks.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { MoreMenu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx';
import { toastError } from '#web/ui/overlays/toast-error.ts';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { RecoverDialog } from './recover-dialog.tsx';

export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [openDialog, setOpenDialog] = useState<'recover' | 'rotate' | 'delete' | null>(null);
  const { mutate, isPending } = useTestWebhook();
  const navigate = useNavigate();
  const isDisabled = endpoint.status === 'disabled';
  const test = () =>
    mutate(endpoint.id, {
      onSuccess: ({ endpoint_id, id }) =>
        void navigate({
          to: '/webhooks/$endpoint/$delivery',
          params: { endpoint: endpoint_id, delivery: id },
          resetScroll: false,
        }),
      onError: toastError('Test event not sent'),
    });
  const close = () => setOpenDialog(null);
  return (
    <div className="flex flex-none items-center gap-2">
      <Button
        variant="primary"
        busy={isPending}
        disabled={isDisabled}
        icon={<Send aria-hidden="true" className="size-4" />}
        onClick={test}
      >
        Send test event
      </Button>
      <MoreMenu outlined label="More actions">
        <MenuItem
          icon={<RotateCcw aria-hidden="true" />}
          disabled={isDisabled}
          onSelect={() => setOpenDialog('recover')}
        >
          Resend failed deliveries…
        </MenuItem>
        <MenuItem icon={<KeyRound aria-hidden="true" />} onSelect={() => setOpenDialog('rotate')}>
          Rotate secret…
        </MenuItem>
        <MenuSeparator />
        <MenuItem tone="danger" icon={<Trash2 aria-hidden="true" />} onSelect={() => setOpenDialog('delete')}>
          Delete…
        </MenuItem>
      </MoreMenu>
      {openDialog === 'recover' ? <RecoverDialog endpoint={endpoint} onClose={close} /> : null}
      {openDialog === 'rotate' ? <RotateDialog endpoint={endpoint} onClose={close} /> : null}
      {openDialog === 'delete' ? <DeleteEndpointDialog endpoint={endpoint} onClose={close} /> : null}
    </div>
  );
}

interface RotateDialogProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

function RotateDialog({ endpoint: { id, url, previous_secret_expires_at }, onClose }: RotateDialogProps) {
  const { mutate, isPending, error, data: created } = useRotateSecret();
  if (created)
    return <NewSecretDialog endpoint={created} previousUntil={created.previous_secret_expires_at} onClose={onClose} />;
  return (
    <ConfirmDialog
      title="Rotate the secret?"
      description={url}
      cancelLabel="Cancel"
      confirmLabel="Rotate secret"
      busy={isPending}
      error={error}
      persistent={isPending}
      consequences={[
        'Both secrets are valid for 24 hours. Each delivery is signed with both, so the receiver misses nothing.',
        'After that, only the new secret is valid. Update the receiver before then.',
        ...(previous_secret_expires_at
          ? ['The secret was last rotated less than a day ago. The oldest of the three secrets stops working now.']
          : []),
      ]}
      onConfirm={() => mutate(id)}
      onClose={onClose}
    />
  );
}

interface DeleteEndpointDialogProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

function DeleteEndpointDialog({ endpoint: { id, url }, onClose }: DeleteEndpointDialogProps) {
  const { mutateAsync, isPending, error } = useDeleteWebhook();
  const navigate = useNavigate();
  const remove = async () => {
    try {
      // The dialog unmounts together with the endpoint, and callbacks given to `mutate` would not run.
      await mutateAsync(id);
    } catch {
      return;
    }
    showToast({ title: 'Endpoint deleted', detail: `No more events are sent to ${new URL(url).host}.` });
    void navigate({ to: '/webhooks' });
  };
  return (
    <ConfirmDialog
      title="Delete this endpoint?"
      description={url}
      cancelLabel="Cancel"
      confirmLabel="Delete endpoint"
      variant="danger"
      busy={isPending}
      error={error}
      consequences={[
        'No more events are sent, including deliveries that are pending or being retried.',
        'Its delivery history and secret are deleted. This can’t be undone.',
        'Generations are not affected.',
      ]}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}
