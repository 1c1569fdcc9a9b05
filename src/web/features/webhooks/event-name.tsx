import type { WebhookEventType } from '#contract/resources/webhook.ts';
import { EVENT_LABELS } from './event-labels.ts';

export const EventName = ({ type }: { type: WebhookEventType }) => (
  <>
    <code className="font-mono text-xs">{type}</code>
    <span className="ml-2 text-xs font-normal text-ink-3">{EVENT_LABELS[type].label}</span>
  </>
);
