import type { BillingStatus, GenerationStatus } from '#contract/generation-status.ts';

/** One sentence on what each status means for the person. */
export const STATUS_DESCRIPTIONS = {
  queued: 'It waits for its turn and starts by itself.',
  running: 'It is being made now.',
  succeeded: 'It is finished.',
  failed: 'It could not be made.',
  canceled: 'It was stopped before it was finished.',
  manual_review: 'A person has to look at it before the result counts. The money stays reserved until then.',
} satisfies Record<GenerationStatus, string>;

/** Where the money of a generation is. */
export const BILLING_STATUS_LABELS = {
  reserved: {
    label: 'Reserved',
    sentence: 'This amount is set aside. What is not used comes back when the work ends.',
  },
  settled: { label: 'Charged', sentence: 'The reservation came back and this amount was charged.' },
  released: { label: 'Not charged', sentence: 'The whole reservation came back. Nothing was charged.' },
  refunded: { label: 'Refunded', sentence: 'The charge was refunded in full.' },
} satisfies Record<BillingStatus, { label: string; sentence: string }>;
