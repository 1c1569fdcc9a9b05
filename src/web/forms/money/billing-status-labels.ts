import type { BillingStatus } from '#contract/statuses.ts';

export const BILLING_STATUS_LABELS = {
  reserved: {
    label: 'Reserved',
    sentence: 'Unused money is released when the work finishes.',
  },
  settled: { label: 'Charged', sentence: 'This amount was charged.' },
  released: { label: 'Not charged', sentence: 'The full reservation was released.' },
  refunded: { label: 'Refunded', sentence: 'The charge was refunded in full.' },
} satisfies Record<BillingStatus, { label: string; sentence: string }>;
