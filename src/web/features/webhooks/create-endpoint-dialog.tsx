import { useState } from 'react';
import type { WebhookEndpointCreated, WebhookEventType } from '#contract/resources/webhook.ts';
import { ApiError } from '#web/api-errors.ts';
import { useCreateWebhook } from '#web/queries/webhooks.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { EventChoice } from './event-choice.tsx';
import { EVENTS } from './event-words.ts';
import { NewSecret } from './new-secret.tsx';

const LONGEST_URL = 2048;

/** What the service says of a field. A 400 judges where the address leads, so it is said there. */
function problemsOf(error: Error | null): { url?: string; events?: string; other?: string } {
  if (!(error instanceof ApiError)) return error ? { other: error.message } : {};
  const about = (path: string) => error.details.find((detail) => detail.path.split('.')[0] === path)?.message;
  const [url, events] = [about('url'), about('events')];
  if (url || events) return { ...(url ? { url } : {}), ...(events ? { events } : {}) };
  return error.status === 400 ? { url: error.message } : { other: error.message };
}

/** Registers an endpoint, then shows its secret, once. */
export function CreateEndpointDialog({ onClose }: { onClose: () => void }) {
  const { mutate, isPending, error, reset } = useCreateWebhook();
  const [made, setMade] = useState<WebhookEndpointCreated>();
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly WebhookEventType[]>(EVENTS);
  const [asked, setAsked] = useState(false);
  if (made) return <NewSecret endpoint={made} onClose={onClose} />;

  const problems = problemsOf(error);
  const lacks_url = url.trim() === '';
  const urlProblem = asked && lacks_url ? 'Say where to send it.' : problems.url;
  const eventsProblem = asked && events.length === 0 ? 'Choose at least one.' : problems.events;
  const submit = () => {
    setAsked(true);
    if (!lacks_url && events.length > 0) mutate({ url: url.trim(), events: [...events] }, { onSuccess: setMade });
  };
  const changed = () => {
    if (error) reset();
  };
  return (
    <FormDialog
      title="New endpoint"
      go="Add the endpoint"
      busy={isPending}
      problem={problems.other}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Address"
        hint="It has to begin with https:// and be reachable from the public internet."
        error={urlProblem}
      >
        <TextInput
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={LONGEST_URL}
          placeholder="https://shop.example/hooks/emulsion"
          value={url}
          onChange={({ target }) => {
            setUrl(target.value);
            changed();
          }}
        />
      </Field>
      <EventChoice
        value={events}
        error={eventsProblem}
        onChange={(next) => {
          setEvents(next);
          changed();
        }}
      />
    </FormDialog>
  );
}
