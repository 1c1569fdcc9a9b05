import { useState } from 'react';
import type { WebhookEndpointCreated } from '#contract/resources/webhook.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { ReceiverCode } from './receiver-code.tsx';
import { SecretBox } from './secret-box.tsx';

export interface NewSecretProps {
  endpoint: WebhookEndpointCreated;
  /** Of a rotation: until when the secret before is good as well. */
  previous_until?: string;
  onClose: () => void;
}

/** A secret that was just made: the only time it is to be had, with what a receiver does with it. */
export function NewSecret({ endpoint: { url, secret }, previous_until, onClose }: NewSecretProps) {
  const [stored, setStored] = useState(false);
  return (
    <Dialog
      open
      persistent
      size="lg"
      title={previous_until === undefined ? 'The endpoint’s secret' : 'The new secret'}
      description={url}
      onClose={onClose}
      footer={
        <Button variant="primary" disabled={!stored} onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Callout tone="amber" title="It is shown this once">
          Store it where the receiver reads its secrets. Nobody can look it up again, but you can make a new one.
        </Callout>
        <SecretBox secret={secret} />
        {previous_until === undefined ? null : (
          <p className="text-sm text-ink-2">
            The secret before is good too, until <ExactTime at={previous_until} />.
          </p>
        )}
        <ReceiverCode />
        <Checkbox checked={stored} onChange={setStored} label="I have stored it" />
      </div>
    </Dialog>
  );
}
