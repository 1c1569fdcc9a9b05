import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { parseDateTimeLocal, formatDateTimeLocal } from '#web/forms/values/datetime-local.ts';
import { recoverableQuery, useRecover } from '#web/api/queries/webhooks.ts';
import { ConsequenceList } from '#web/ui/overlays/confirm-dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

const DAY_MS = 86_400_000;
const EVENT_BEFORE_ATTEMPT_MS = 5 * 60_000;

const countLabel = (count: number) => (count === 1 ? '1 delivery' : `${count} deliveries`);

/** Starts shortly before the first failed attempt, because its event is older. Defaults to a day ago. */
const defaultSince = (failingSince: string | null) =>
  new Date(
    failingSince === null ? Date.now() - DAY_MS : Date.parse(failingSince) - EVENT_BEFORE_ATTEMPT_MS,
  ).toISOString();

interface RecoverDialogProps {
  endpoint: WebhookEndpoint;
  /** When an endpoint that was just enabled began to miss deliveries (ISO 8601). */
  missedSince?: string;
  onClose: () => void;
}

/** Resends the deliveries that failed since a time, by default since the endpoint began to fail. Shows their number first. */
export function RecoverDialog({ endpoint, missedSince, onClose }: RecoverDialogProps) {
  const { id: endpointId, url, health } = endpoint;
  const { mutateAsync: recover } = useRecover();
  const [initial] = useState(() => formatDateTimeLocal(defaultSince(missedSince ?? health?.failing_since ?? null)));
  const form = useDialogForm({ since: initial });
  const { control, register, formState } = form;
  const since = parseDateTimeLocal(useWatch({ control, name: 'since' }));
  const { data: count } = useQuery(recoverableQuery(endpointId, since));
  const submit = async (values: { since: string }) => {
    const from = parseDateTimeLocal(values.since);
    if (from === null) return;
    const { count: resent } = await recover({ endpointId, since: from });
    showToast(
      resent > 0
        ? { title: `Resending ${countLabel(resent)}`, tone: 'good' }
        : { title: 'No failed deliveries since then' },
    );
    onClose();
  };
  return (
    <FormDialog
      form={form}
      size="sm"
      title={missedSince ? 'Resend missed deliveries?' : 'Resend failed deliveries?'}
      description={<span className="wrap-anywhere">{url}</span>}
      cancelLabel={missedSince ? 'Not now' : 'Cancel'}
      submitLabel={count ? `Resend ${countLabel(count)}` : 'Resend'}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Failed since" error={formState.errors.since?.message}>
        <TextInput
          type="datetime-local"
          {...register('since', {
            validate: (text) => parseDateTimeLocal(text) !== null || 'Enter a date and a time.',
          })}
        />
      </Field>
      <output className="-mt-2 block min-h-5 text-sm font-medium">
        {count === undefined || count === null
          ? null
          : count === 0
            ? 'No failed deliveries since then.'
            : `${countLabel(count)} failed since then, including those still being retried.`}
      </output>
      <ConsequenceList
        consequences={[
          'Each is resent now, with up to six attempts.',
          'Events keep their IDs, so the receiver can ignore those it has already handled.',
        ]}
      />
    </FormDialog>
  );
}
