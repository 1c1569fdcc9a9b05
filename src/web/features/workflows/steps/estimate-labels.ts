import type { WorkflowEstimate } from '#contract/resources/workflow-estimate.ts';

type Basis = WorkflowEstimate['basis'];
type Step = WorkflowEstimate['steps'][number];

/** "Kept", "Skipped", "3 times", "1 to 4 times", "Up to 4 times"; null for once. */
export function formatStepRepeats({
  minimum_count,
  maximum_count,
  kept,
}: Pick<Step, 'minimum_count' | 'maximum_count' | 'kept'>): string | null {
  if (kept) return 'Kept';
  if (maximum_count === 0) return 'Skipped';
  if (minimum_count === maximum_count) return maximum_count === 1 ? null : `${maximum_count} times`;
  if (maximum_count === 1) return 'At most once';
  return minimum_count === 0 ? `Up to ${maximum_count} times` : `${minimum_count} to ${maximum_count} times`;
}

export const ESTIMATE_TOTAL_LABELS = {
  exact: 'Total',
  upper_bound: 'At most',
  lower_bound: 'At least',
} satisfies Record<Basis, string>;

export const ESTIMATE_BASIS_MESSAGES = {
  exact: 'Steps are charged as they finish. Failed steps cost nothing.',
  upper_bound: 'You may pay less: steps are charged as they finish, and failed or skipped steps cost nothing.',
  lower_bound: 'The final price depends on what the steps find. Steps are charged as they finish.',
} satisfies Record<Basis, string>;
