import { isActive } from '#contract/generation-status.ts';
import { formatUsd, parseUsd } from '#contract/money.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { formatMoney } from '#web/ui/money.tsx';

type PricedRun = Pick<WorkflowRun, 'usage' | 'estimate' | 'status'>;

const formatDifference = (a: bigint, b: bigint) => formatMoney(formatUsd(a > b ? a - b : b - a));

/** "$0.22", "at most $0.23", "at least $0.30"; null without an estimate. */
function formatRunEstimate({ estimate }: Pick<PricedRun, 'estimate'>): string | null {
  if (!estimate) return null;
  const money = formatMoney(estimate.amount_usd);
  return { exact: money, upper_bound: `at most ${money}`, lower_bound: `at least ${money}` }[estimate.basis];
}

/** Compares the cost with the estimate; null without an estimate. */
export function describeRunCost(run: PricedRun): string | null {
  const { usage, estimate, status } = run;
  if (!estimate) return null;
  if (isActive(status) || status === 'manual_review') return `So far. Estimated ${formatRunEstimate(run)}.`;
  const [paid, expected] = [parseUsd(usage.amount_usd), parseUsd(estimate.amount_usd)];
  if (paid === expected) return 'As estimated.';
  const difference = formatDifference(paid, expected);
  if (paid > expected)
    return `${difference} above the ${estimate.basis === 'lower_bound' ? 'minimum estimate' : 'estimate'}.`;
  return estimate.basis === 'upper_bound'
    ? `${difference} below the maximum estimate.`
    : `${difference} below the estimate. Only finished steps are charged.`;
}
