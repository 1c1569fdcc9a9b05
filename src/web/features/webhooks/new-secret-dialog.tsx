import type { WebhookEndpointCreated } from '#contract/resources/webhook.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { SecretBox } from '#web/ui/secret-box.tsx';
import { OneTimeSecretDialog } from '#web/ui/one-time-secret-dialog.tsx';
import { ReceiverCode } from './receiver-code.tsx';

export interface NewSecretDialogProps {
  endpoint: WebhookEndpointCreated;
  /** After a rotation: until when the previous secret is valid too. */
  previous_until?: string;
  onClose: () => void;
}

/** A secret that was just created, with code for the receiver. */
export function NewSecretDialog({ endpoint: { url, secret }, previous_until, onClose }: NewSecretDialogProps) {
  return (
    <OneTimeSecretDialog
      title={previous_until === undefined ? 'Signing secret' : 'New signing secret'}
      description={<span className="wrap-anywhere">{url}</span>}
      advice="Store it where the receiver reads its secrets. It cannot be looked up again, but you can rotate it."
      onClose={onClose}
    >
      <SecretBox what="the secret" secret={secret} masked="whsec_••••••••••••" />
      <div>
        <CopyButton labelled text={secret} label="Copy secret" />
      </div>
      {previous_until === undefined ? null : (
        <p className="text-sm text-ink-2">
          The previous secret stays valid until <ExactTime at={previous_until} />.
        </p>
      )}
      <Disclosure summary="Code for the receiver">
        <ReceiverCode />
      </Disclosure>
    </OneTimeSecretDialog>
  );
}
