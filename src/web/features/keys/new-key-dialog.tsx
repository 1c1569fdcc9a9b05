import { useMutation } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import type { ApiKeyCreated } from '#contract/resources/api-key.ts';
import { createSignInLink } from '#web/api/queries/keys.ts';
import { maskKey } from '#web/api/session/mask-key.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { OneTimeSecretDialog } from '#web/ui/overlays/one-time-secret-dialog.tsx';
import { SecretBox } from '#web/ui/display/secret-box.tsx';

/** Shows a new secret, once. */
export function NewKeyDialog({
  created: { name, kind, key },
  onClose,
}: {
  created: ApiKeyCreated;
  onClose: () => void;
}) {
  const link = useMutation(createSignInLink);
  return (
    <OneTimeSecretDialog
      title={`Key for “${name}”`}
      advice="Copy it now and store it in a password manager. It cannot be shown again."
      onClose={onClose}
    >
      <SecretBox what="the key" secret={key} masked={maskKey(key)} />
      <div className="flex flex-wrap gap-2">
        <CopyButton labeled text={key} label="Copy key" />
        {kind === 'publishing' ? null : link.data === undefined ? (
          <Button
            size="sm"
            busy={link.isPending}
            icon={<Link2 aria-hidden="true" className="size-4" />}
            onClick={() => link.mutate(key)}
          >
            Create sign-in link
          </Button>
        ) : (
          <CopyButton labeled text={link.data} label="Copy sign-in link" />
        )}
      </div>
      {kind === 'publishing' ? null : (
        <p className="text-sm text-ink-3">
          {link.error
            ? `The sign-in link could not be created. ${link.error.message}`
            : 'A sign-in link opens the studio without revealing the key. It works once and expires after 24 hours.'}
        </p>
      )}
    </OneTimeSecretDialog>
  );
}
