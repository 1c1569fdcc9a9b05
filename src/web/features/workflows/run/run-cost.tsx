import { Link } from '@tanstack/react-router';
import { isActive } from '#contract/statuses.ts';
import { formatMoney, parseUsd } from '#contract/money/money.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { priceLines } from '#web/forms/money/price-lines.ts';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Money } from '#web/api/money.tsx';

/** What was charged, and how it was calculated. The timeline has the cost of each step. */
export function RunCost({ run }: { run: WorkflowRun }) {
  const names = useCatalogNames();
  const { id, usage } = run;
  return (
    <Disclosure
      summary="Cost"
      aside={<Money amount_usd={usage.amount_usd} />}
      className="border-t border-line pt-2 tabular-nums"
    >
      <ul aria-label="Cost" className="flex flex-col gap-1.5 text-sm">
        {priceLines(usage, names).map(({ label, formula, amount_usd }, at) => (
          <li key={`${at}${label}`} className="flex gap-4">
            <span className="min-w-0 flex-1">
              {label}
              <span className="block text-xs text-ink-3">{formula}</span>
            </span>
            <Money amount_usd={amount_usd} />
          </li>
        ))}
      </ul>
      <p className="mt-1 text-sm text-ink-3">
        {describeRunCost(run)}{' '}
        <Link to="/billing" search={{ part: 'ledger', run: id }} className="text-ink underline underline-offset-2">
          View in ledger
        </Link>
      </p>
    </Disclosure>
  );
}

type PricedRun = Pick<WorkflowRun, 'usage' | 'estimate' | 'status'>;

const formatDifference = (a: bigint, b: bigint) => formatMoney(a > b ? a - b : b - a);

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
