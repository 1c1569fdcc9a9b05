import { Link } from '@tanstack/react-router';
import { isActive } from '#contract/statuses.ts';
import { formatMoney, parseUsd } from '#contract/money.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { priceLines } from '#web/forms/price-lines.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Money } from '#web/api/money.tsx';
import { Section } from '#web/ui/section.tsx';

export function RunCost({ run }: { run: WorkflowRun }) {
  const names = useCatalogNames();
  const { id, steps, usage } = run;
  const lines = priceLines(usage, names);
  const comparison = describeRunCost(run);
  return (
    <Section title="Cost">
      <table className="w-full text-sm tabular-nums">
        <thead className="sr-only">
          <tr>
            <th>Step</th>
            <th>Cost</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ key, name, kept, status, amount_usd = '0.00' }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="py-2 pr-4 text-left font-normal wrap-anywhere">
                {name}
                {kept ? <span className="ml-1 text-ink-3"> kept</span> : null}
                {status === 'skipped' ? <span className="ml-1 text-ink-3"> skipped</span> : null}
              </th>
              <td className="py-2 text-right">
                <Money amount_usd={amount_usd} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line-strong font-medium">
            <th scope="row" className="py-2 pr-4 text-left font-medium">
              Total
            </th>
            <td className="py-2 text-right">
              <Money amount_usd={usage.amount_usd} />
            </td>
          </tr>
        </tfoot>
      </table>
      <p className="mt-1 text-sm text-ink-3">
        {comparison}{' '}
        <Link to="/billing" search={{ part: 'ledger', run: id }} className="text-ink underline underline-offset-2">
          View in ledger
        </Link>
      </p>
      {lines.length > 0 ? (
        <Disclosure summary="How this was calculated" className="mt-2">
          <ul className="flex flex-col gap-1.5 text-sm">
            {lines.map(({ label, formula, amount_usd }, at) => (
              <li key={`${at}${label}`} className="flex gap-4">
                <span className="min-w-0 flex-1">
                  {label}
                  <span className="block text-xs text-ink-3 tabular-nums">{formula}</span>
                </span>
                <Money amount_usd={amount_usd} />
              </li>
            ))}
          </ul>
        </Disclosure>
      ) : null}
    </Section>
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
