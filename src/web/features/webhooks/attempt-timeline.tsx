import { CircleAlert, CircleCheck, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WebhookAttempt, WebhookDelivery } from '#contract/resources/webhook.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { Countdown } from './countdown.tsx';
import { formatAttemptResponse } from './delivery-badge.tsx';

export function AttemptTimeline({ delivery }: { delivery: WebhookDelivery }) {
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
