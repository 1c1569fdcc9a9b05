import { useState } from 'react';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { fromLocalText, toLocalText } from '#web/forms/local-time.ts';
import { useRecover } from '#web/queries/deliveries.ts';
import { ConsequenceDialog } from '#web/ui/consequence-dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { showToast } from '#web/ui/toast-store.ts';

const DAY_MS = 86_400_000;

const recoveredWords = (count: number) => {
  if (count === 0) return 'Nothing has failed since then';
  return count === 1 ? 'One delivery is sent again' : `${count} deliveries are sent again`;
};

export interface RecoverDialogProps {
  endpoint: WebhookEndpoint;
  /** Where it was just switched on: since when it missed what was sent (ISO 8601). */
  missedSince?: string;
  onClose: () => void;
}

/** Sends again whatever failed since a time, by default since the endpoint began to fail. */
export function RecoverDialog({ endpoint, missedSince, onClose }: RecoverDialogProps) {
  const { id, url, health } = endpoint;
  const { mutate, isPending, error } = useRecover();
  const [since, setSince] = useState(
    () => missedSince ?? health?.failing_since ?? new Date(Date.now() - DAY_MS).toISOString(),
  );
  const [text, setText] = useState(() => toLocalText(since));
  const [asked, setAsked] = useState(false);
  const lacking = text === '';
  const recover = () => {
    setAsked(true);
    if (lacking) return;
    mutate(
      { endpoint_id: id, since },
      {
        onSuccess: ({ count }) => {
          showToast({ title: recoveredWords(count), tone: count > 0 ? 'good' : 'neutral' });
          onClose();
        },
      },
    );
  };
  return (
    <ConsequenceDialog
      title={missedSince ? 'Send what it missed?' : 'Send failed ones again?'}
      description={url}
      keep={missedSince ? 'Not now' : 'Cancel'}
      go="Send them again"
      variant="primary"
      busy={isPending}
      error={error}
      consequences={[
        'Every delivery that failed since then is sent again now, each with up to six attempts.',
        'Events keep their ids, so that the receiver ignores those it knows already.',
      ]}
      onGo={recover}
      onClose={onClose}
    >
      <Field label="Since when?" error={asked && lacking ? 'Choose a day and a time.' : undefined}>
        <TextInput
          type="datetime-local"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setSince((before) => fromLocalText(target.value) ?? before);
          }}
        />
      </Field>
    </ConsequenceDialog>
  );
}
