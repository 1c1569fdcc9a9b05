import type { WebhookEventType } from '#contract/resources/webhook.ts';
import { EVENT_LABELS } from './event-labels.ts';

/** An event type that wraps after its dot where the line is too short. */
export function EventCode({ type }: { type: WebhookEventType }) {
  const [subject, event] = type.split('.');
  return (
    <code className="font-mono text-xs">
      {subject}.<wbr />
      {event}
    </code>
  );
}

export const EventName = ({ type }: { type: WebhookEventType }) => (
  <>
    <EventCode type={type} />
    <span className="ml-2 text-xs font-normal text-ink-3">{EVENT_LABELS[type].label}</span>
  </>
);
