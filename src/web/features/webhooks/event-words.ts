import type { WebhookEventType } from '#contract/resources/webhook.ts';

/** What each event is called, and when it is sent. */
export const EVENT_WORDS = {
  'generation.succeeded': {
    label: 'Something was made',
    sentence: 'It ended well: its files are ready, and it is charged.',
  },
  'generation.failed': {
    label: 'Something could not be made',
    sentence: 'It ended without a result, or was rejected in review. Its money came back.',
  },
  'generation.manual_review': {
    label: 'A person has to decide',
    sentence: 'It waits in Review, with its money reserved. Success or failure is told when that is decided.',
  },
} satisfies Record<WebhookEventType, { label: string; sentence: string }>;

export const EVENTS = Object.keys(EVENT_WORDS).filter((type): type is WebhookEventType =>
  Object.hasOwn(EVENT_WORDS, type),
);
