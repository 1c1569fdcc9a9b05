import { useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import type { WebhookEndpointCreated, WebhookEventType } from '#contract/resources/webhook.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { useCreateWebhook } from '#web/api/queries/webhooks.ts';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { Field, useFieldGroup } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { EVENT_LABELS, EVENT_TYPE_OPTIONS } from './event-labels.ts';
import { EventName } from './event-name.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';

const URL_MAX_LENGTH = 2048;

interface EndpointValues {
  url: string;
  events: readonly WebhookEventType[];
}

/** Chosen at first: most receivers follow generations only. */
const GENERATION_EVENTS = EVENT_TYPE_OPTIONS.filter((type) => type.startsWith('generation.'));

export function CreateEndpointDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync: createEndpoint } = useCreateWebhook();
  const [created, setCreated] = useState<WebhookEndpointCreated>();
  const form = useDialogForm<EndpointValues>({ url: '', events: GENERATION_EVENTS });
  const { control, register, formState } = form;
  if (created) return <NewSecretDialog endpoint={created} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title="New endpoint"
      submitLabel="Add endpoint"
      awaitsResponse
      onSubmit={async ({ url, events }) => setCreated(await createEndpoint({ url: url.trim(), events: [...events] }))}
      onClose={onClose}
    >
      <Field
        label="Endpoint URL"
        hint="Must start with https:// and be reachable from the public internet."
        error={formState.errors.url?.message}
      >
        <TextInput
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={URL_MAX_LENGTH}
          placeholder="https://shop.example/hooks/emulsion"
          {...register('url', { validate: (url) => url.trim() !== '' || 'Enter a URL.' })}
        />
      </Field>
      <EventsField control={control} />
    </FormDialog>
  );
}

function EventsField({ control }: { control: Control<EndpointValues> }) {
  const { field, fieldState } = useController({
    control,
    name: 'events',
    rules: { validate: (events) => events.length > 0 || 'Select at least one event.' },
  });
  const { value, onChange } = field;
  return (
    <Field label="Events to send" error={fieldState.error?.message} group>
      <EventCheckboxes value={value} onChange={onChange} />
    </Field>
  );
}

interface EventCheckboxesProps {
  value: readonly WebhookEventType[];
  onChange: (events: WebhookEventType[]) => void;
}

function EventCheckboxes({ value, onChange }: EventCheckboxesProps) {
  // ARIA does not allow aria-invalid on a group, so the checkboxes carry it.
  const { 'aria-invalid': invalid, 'aria-describedby': describedBy, ...group } = useFieldGroup();
  return (
    <fieldset {...group} className="flex flex-col gap-3 rounded-md border border-line px-3 py-3">
      {EVENT_TYPE_OPTIONS.map((event) => (
        <Checkbox
          key={event}
          label={<EventName type={event} />}
          hint={EVENT_LABELS[event].sentence}
          checked={value.includes(event)}
          aria-invalid={invalid}
          describedBy={describedBy}
          onChange={(checked) =>
            onChange(EVENT_TYPE_OPTIONS.filter((each) => (each === event ? checked : value.includes(each))))
          }
        />
      ))}
    </fieldset>
  );
}
