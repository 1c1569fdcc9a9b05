import type { WebhookEndpointCreated } from '#contract/resources/webhook.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { SecretBox } from '#web/ui/secret-box.tsx';
import { ShownOnceDialog } from '#web/ui/shown-once-dialog.tsx';
import { ReceiverCode } from './receiver-code.tsx';

export interface NewSecretProps {
  endpoint: WebhookEndpointCreated;
  /** Of a rotation: until when the secret before is good as well. */
  previous_until?: string;
  onClose: () => void;
}

/** A secret that was just made, with what a receiver does with it. */
export function NewSecret({ endpoint: { url, secret }, previous_until, onClose }: NewSecretProps) {
  return (
    <ShownOnceDialog
      size="lg"
      title={previous_until === undefined ? 'The endpoint’s secret' : 'The new secret'}
      description={url}
      advice="Store it where the receiver reads its secrets. Nobody can look it up again, but you can make a new one."
      onClose={onClose}
    >
      <SecretBox what="the secret" secret={secret} masked="whsec_••••••••••••" />
      <div>
        <CopyButton labelled text={secret} label="Copy secret" />
      </div>
      {previous_until === undefined ? null : (
        <p className="text-sm text-ink-2">
          The secret before is good too, until <ExactTime at={previous_until} />.
        </p>
      )}
      <ReceiverCode />
    </ShownOnceDialog>
  );
}
