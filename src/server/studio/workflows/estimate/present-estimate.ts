import { formatUsd } from '#contract/money/money.ts';
import type { WorkflowEstimate } from '#contract/resources/workflow-starter.ts';
import type { StepEstimate } from './estimate-workflow.ts';

interface Bounds {
  minimum_micro_usd: bigint;
  maximum_micro_usd: bigint | null;
}

/** @param keptKeys keys of the steps that a retry keeps */
export function presentEstimate(
  starterSlug: string,
  estimates: readonly StepEstimate[],
  keptKeys: ReadonlySet<string> = new Set(),
): WorkflowEstimate {
  return {
    object: 'workflow_estimate',
    starter_slug: starterSlug,
    currency: 'usd',
    ...presentBounds(sumBounds(estimates)),
    steps: estimates.map(({ step, minimum_count, maximum_count, line_items, note, ...bounds }) => ({
      key: step.key,
      name: step.name,
      task: step.task,
      model: step.model,
      ...presentBounds(bounds),
      minimum_count,
      maximum_count,
      ...(keptKeys.has(step.key) ? { kept: true } : {}),
      line_items,
      note,
    })),
  };
}

export const sumBounds = (estimates: readonly Bounds[]): Bounds => ({
  minimum_micro_usd: estimates.reduce((sum, { minimum_micro_usd }) => sum + minimum_micro_usd, 0n),
  maximum_micro_usd: estimates.reduce<bigint | null>(
    (sum, { maximum_micro_usd }) => (sum === null || maximum_micro_usd === null ? null : sum + maximum_micro_usd),
    0n,
  ),
});

export function presentBounds({ minimum_micro_usd, maximum_micro_usd }: Bounds) {
  const isExact = minimum_micro_usd === maximum_micro_usd;
  return {
    amount_usd: formatUsd(maximum_micro_usd ?? minimum_micro_usd),
    minimum_usd: formatUsd(minimum_micro_usd),
    maximum_usd: maximum_micro_usd === null ? null : formatUsd(maximum_micro_usd),
    basis:
      maximum_micro_usd === null ? ('lower_bound' as const) : isExact ? ('exact' as const) : ('upper_bound' as const),
  };
}
