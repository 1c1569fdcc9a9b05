import { Link } from '@tanstack/react-router';
import { RotateCcw, ScanSearch } from 'lucide-react';
import type { WebhookDeliveryDetail } from '#contract/resources/webhook.ts';
import { useRedeliver } from '#web/api/queries/webhooks.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CodeBlock } from '#web/ui/code-block.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { DescriptionList, Section } from '#web/ui/section.tsx';
import { AttemptTimeline } from './attempt-timeline.tsx';
import { EVENT_LABELS } from './event-labels.ts';
import { EventName } from './event-name.tsx';
import { toastError } from './toast-error.ts';

export function DeliveryDetails({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const { id, event_id, event_type, test, status, created_at, payload } = delivery;
  const { mutate, isPending } = useRedeliver();
  const redeliver = () => mutate(id, { onError: toastError('Delivery not sent') });
  return (
    <div className="flex flex-col gap-7">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant={status === 'failed' ? 'primary' : 'secondary'}
          busy={isPending}
          icon={<RotateCcw aria-hidden="true" className="size-4" />}
          onClick={redeliver}
        >
          {status === 'pending' ? 'Send now' : 'Resend'}
        </Button>
        <Link to="/webhooks/check" search={{ delivery: id }} className={buttonClass()}>
          <ScanSearch aria-hidden="true" className="size-4" />
          Verify signature
        </Link>
      </div>
      <Section title="Attempts">
        <AttemptTimeline delivery={delivery} />
      </Section>
      <Section title="Details">
        <DescriptionList
          rows={[
            { name: 'Event', value: <EventName type={event_type} /> },
            { name: 'Trigger', value: EVENT_LABELS[event_type].sentence },
            { name: 'Created', value: <ExactTime at={created_at} /> },
            { name: 'About', value: test ? 'Nothing (test event)' : <EventSubject payload={payload} /> },
            { name: 'Event ID', value: <EventId id={event_id} /> },
          ]}
        />
      </Section>
      <Section title="Request body">
        <CodeBlock text={JSON.stringify(payload, null, 2)} label="Payload" />
        <p className="mt-2 text-sm text-ink-3">
          Formatted for display. It is sent as a single line, with new file links for each attempt.
        </p>
      </Section>
    </div>
  );
}

function EventId({ id }: { id: string }) {
  return (
    <span className="-my-1 flex items-center gap-1">
      <code className="min-w-0 truncate font-mono text-xs select-all">{id}</code>
      <CopyButton text={id} label="Copy event ID" />
    </span>
  );
}

function EventSubject({ payload }: Pick<WebhookDeliveryDetail, 'payload'>) {
  const { object } = payload.data;
  const className = 'underline underline-offset-2 hover:text-ink';
  if (object.object === 'generation') {
    return (
      <Link to="/generations/$id" params={{ id: object.id }} className={className}>
        Open generation
      </Link>
    );
  }
  return object.object === 'alert' ? (
    <Link to="/alerts" search={{ show: 'all' }} className={className}>
      {object.message}
    </Link>
  ) : (
    `${object.checked_entries} ledger entries`
  );
}
