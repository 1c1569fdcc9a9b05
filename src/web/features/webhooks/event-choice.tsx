import type { WebhookEventType } from '#contract/resources/webhook.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field, useFieldGroup } from '#web/ui/field.tsx';
import { EVENT_WORDS, EVENTS } from './event-words.ts';

export interface EventChoiceProps {
  value: readonly WebhookEventType[];
  error: string | undefined;
  onChange: (events: WebhookEventType[]) => void;
}

/** What an endpoint is told of. */
export function EventChoice({ error, ...choice }: EventChoiceProps) {
  return (
    <Field label="What is it told?" error={error} group>
      <Boxes {...choice} />
    </Field>
  );
}

function Boxes({ value, onChange }: Omit<EventChoiceProps, 'error'>) {
  const { 'aria-invalid': _invalid, ...group } = useFieldGroup();
  return (
    <fieldset {...group} className="flex flex-col gap-3 rounded-md border border-line px-3 py-3">
      {EVENTS.map((event) => (
        <Checkbox
          key={event}
          label={EVENT_WORDS[event].label}
          hint={
            <>
              {EVENT_WORDS[event].sentence} <code className="font-mono text-xs">{event}</code>
            </>
          }
          checked={value.includes(event)}
          onChange={(checked) => onChange(EVENTS.filter((each) => (each === event ? checked : value.includes(each))))}
        />
      ))}
    </fieldset>
  );
}
