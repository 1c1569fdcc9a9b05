export const GENERATION_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'manual_review'] as const;
export type GenerationStatus = (typeof GENERATION_STATUSES)[number];

/** Allowed status transitions; final statuses have none. Decision: Statuses */
export const TRANSITIONS = {
  queued: ['running', 'canceled'],
  running: ['succeeded', 'failed', 'manual_review', 'canceled'],
  manual_review: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
  canceled: [],
} as const satisfies Record<GenerationStatus, readonly GenerationStatus[]>;

export const isActive = (status: GenerationStatus) => status === 'queued' || status === 'running';

export const BILLING_STATUSES = ['reserved', 'settled', 'released', 'refunded'] as const;
export type BillingStatus = (typeof BILLING_STATUSES)[number];
