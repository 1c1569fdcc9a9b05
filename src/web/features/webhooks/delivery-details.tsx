import { Link } from '@tanstack/react-router';
import { RotateCcw, ScanSearch, CircleAlert, CircleCheck, Clock } from 'lucide-react';
import type { WebhookDeliveryDetail, WebhookAttempt, WebhookDelivery } from '#contract/resources/webhook.ts';
import { useRedeliver } from '#web/api/queries/webhooks.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { CodeBlock } from '#web/ui/display/code-block.tsx';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { ExactTime } from '#web/ui/display/relative-time.tsx';
import { DescriptionList, Section } from '#web/ui/display/section.tsx';
import { EVENT_LABELS } from './event-labels.ts';
import { EventName } from './event-name.tsx';
import { toastError } from '#web/ui/overlays/toast-error.ts';
import type { ReactNode } from 'react';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Countdown } from './countdown.tsx';
import { formatAttemptResponse } from './delivery-badge.tsx';

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

function AttemptTimeline({ delivery }: { delivery: WebhookDelivery }) {
  const { status, attempts, next_attempt_at } = delivery;
  if (status !== 'pending' && attempts.length === 0)
    return <p className="text-sm text-ink-2">Not sent: the endpoint was disabled.</p>;
  return (
    <ol aria-label="Attempts" className="text-sm">
      {attempts.map((attempt, index) => (
        <TimelineItem
          key={attempt.at}
          icon={
            attempt.error === null ? (
              <CircleCheck aria-hidden="true" className="text-good" />
            ) : (
              <CircleAlert aria-hidden="true" className="text-bad" />
            )
          }
        >
          <AttemptDetails attempt={attempt} number={index + 1} />
        </TimelineItem>
      ))}
      {status === 'pending' ? (
        <TimelineItem
          icon={<Clock aria-hidden="true" className={attempts.length > 0 ? 'text-amber-text' : 'text-info'} />}
        >
          <p className="font-medium">
            <Countdown key={next_attempt_at} delivery={delivery} />
          </p>
          {next_attempt_at ? (
            <p className="text-ink-3">
              <ExactTime at={next_attempt_at} />
            </p>
          ) : null}
        </TimelineItem>
      ) : null}
    </ol>
  );
}

function TimelineItem({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="relative flex gap-3 pb-5 last:pb-0 not-last:before:absolute not-last:before:top-6 not-last:before:bottom-1 not-last:before:left-2 not-last:before:w-px not-last:before:bg-line-strong">
      <span className="flex h-5 flex-none items-center [&>svg]:size-4">{icon}</span>
      <div className="min-w-0 flex-1">{children}</div>
    </li>
  );
}

function AttemptDetails({ attempt, number }: { attempt: WebhookAttempt; number: number }) {
  const { at, error, excerpt } = attempt;
  return (
    <>
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">Attempt {number}</span>
        <ExactTime at={at} className="text-ink-3" />
      </p>
      <p className="text-ink-2 tabular-nums">{formatAttemptResponse(attempt)}</p>
      {error ? <p className="mt-0.5 wrap-anywhere">{error}</p> : null}
      {excerpt ? (
        <Disclosure summary="Response body" className="mt-1">
          <pre
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls has to take focus
            tabIndex={0}
            className="max-h-48 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap"
          >
            {excerpt}
          </pre>
        </Disclosure>
      ) : null}
    </>
  );
}
