import type { WebhookEventType } from '#contract/resources/webhook.ts';

export const EVENT_LABELS = {
  'generation.succeeded': {
    label: 'Generation succeeded',
    sentence: 'The files are ready and the generation is charged.',
  },
  'generation.failed': {
    label: 'Generation failed',
    sentence: 'The generation has no result or was rejected in review. Its reservation is released.',
  },
  'generation.manual_review': {
    label: 'Generation needs review',
    sentence: 'The outcome is unclear and the price stays reserved. A decision sends succeeded or failed.',
  },
  'alert.raised': {
    label: 'Alert raised',
    sentence: 'Funds, a budget, a provider, an endpoint, a review or the ledger needs attention.',
  },
  'ledger.verified': {
    label: 'Ledger verified',
    sentence: 'The result of the daily verification, with number and hash of the last entry.',
  },
} satisfies Record<WebhookEventType, { label: string; sentence: string }>;

export const EVENT_TYPE_OPTIONS = Object.keys(EVENT_LABELS).filter((type): type is WebhookEventType =>
  Object.hasOwn(EVENT_LABELS, type),
);
