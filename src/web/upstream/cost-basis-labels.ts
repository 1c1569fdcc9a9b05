import type { JobCostBasis } from '#contract/providers.ts';

/** How the cost of a job at a provider is known. */
export const COST_BASIS_LABELS = {
  reported: { label: 'Reported', sentence: 'The provider reported this cost.' },
  computed: { label: 'Computed', sentence: 'The cost is computed from the usage that the provider reported.' },
  list: { label: 'List price', sentence: 'The cost is the provider’s list price for this request.' },
  unreadable: {
    label: 'Unreadable',
    sentence: 'The provider’s bill is unreadable. Compare it with the provider’s usage page.',
  },
} as const satisfies Record<JobCostBasis, { label: string; sentence: string }>;
