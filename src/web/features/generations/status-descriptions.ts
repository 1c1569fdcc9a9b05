import type { BillingStatus, GenerationStatus } from '#contract/generation-status.ts';

export const STATUS_DESCRIPTIONS = {
  queued: 'In the queue. Starts automatically.',
  running: 'Running now.',
  succeeded: 'Finished.',
  failed: 'This generation failed.',
  canceled: 'Canceled before it finished.',
  manual_review: 'An administrator has to approve the result. The money stays reserved until then.',
} satisfies Record<GenerationStatus, string>;

export const BILLING_STATUS_LABELS = {
  reserved: {
    label: 'Reserved',
    sentence: 'Unused money is released when the work finishes.',
  },
  settled: { label: 'Charged', sentence: 'This amount was charged.' },
  released: { label: 'Not charged', sentence: 'The full reservation was released.' },
  refunded: { label: 'Refunded', sentence: 'The charge was refunded in full.' },
} satisfies Record<BillingStatus, { label: string; sentence: string }>;
