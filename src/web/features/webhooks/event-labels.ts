import type { WebhookEventType } from '#contract/resources/webhook.ts';

/** The label of each event, and when it is sent. */
export const EVENT_LABELS = {
  'generation.succeeded': {
    label: 'Generation succeeded',
    sentence: 'Its files are ready, and it is charged.',
  },
  'generation.failed': {
    label: 'Generation failed',
    sentence: 'It has no result, or was rejected in review. Its reservation is released.',
  },
  'generation.manual_review': {
    label: 'Generation needs review',
    sentence: 'Its outcome needs a decision, and its price stays reserved. The decision sends succeeded or failed.',
  },
} satisfies Record<WebhookEventType, { label: string; sentence: string }>;

export const EVENT_TYPE_OPTIONS = Object.keys(EVENT_LABELS).filter((type): type is WebhookEventType =>
  Object.hasOwn(EVENT_LABELS, type),
);
