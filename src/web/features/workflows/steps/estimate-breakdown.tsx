import type { WorkflowEstimate } from '#contract/resources/workflow-starter.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { priceLabel, priceLines } from '#web/forms/price-lines.ts';
import { Money } from '#web/api/money.tsx';

type Step = WorkflowEstimate['steps'][number];

export function EstimateBreakdown({ estimate }: { estimate: WorkflowEstimate }) {
  const { steps, amount_usd, minimum_usd, basis } = estimate;
  const showsMinimum = basis === 'upper_bound' && minimum_usd !== amount_usd;
  return (
    <>
      <table className="w-full text-sm tabular-nums">
        <thead className="sr-only">
          <tr>
            <th>Step</th>
            <th>Price</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <StepLine key={step.key} step={step} />
          ))}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className="border-t border-line pt-1.5 text-left font-semibold">
              {ESTIMATE_TOTAL_LABELS[basis]}
              {showsMinimum ? (
                <span className="ml-1 font-normal text-ink-3">
                  {' '}
                  minimum <Money amount_usd={minimum_usd} />
                </span>
              ) : null}
            </th>
            <td className="border-t border-line pt-1.5 text-right">
              <Money amount_usd={amount_usd} />
            </td>
          </tr>
        </tfoot>
      </table>
      <p className="mt-2 text-sm text-ink-2">{ESTIMATE_BASIS_MESSAGES[basis]}</p>
    </>
  );
}

function StepLine({ step }: { step: Step }) {
  const names = useCatalogNames();
  const { name, note, maximum_count } = step;
  const repeats = formatStepRepeats(step);
  const lines = priceLines(step, names);
  return (
    <tr className="align-top">
      <th scope="row" className="py-1 pr-3 text-left font-normal wrap-anywhere">
        {name}
        {repeats ? <span className="ml-1 text-ink-3"> {repeats}</span> : null}
        {maximum_count > 0
          ? lines.map(({ label, formula }) => (
              <span key={`${label}${formula}`} className="block text-xs text-ink-3">
                {formula === '' ? 'Includes a minimum charge' : `${label}: ${formula}`}
              </span>
            ))
          : null}
        {note ? <span className="block text-xs text-ink-3">{note}</span> : null}
      </th>
      <td className="py-1 text-right whitespace-nowrap">{maximum_count === 0 ? '–' : priceLabel(step)}</td>
    </tr>
  );
}

type Basis = WorkflowEstimate['basis'];

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

const ESTIMATE_TOTAL_LABELS = {
  exact: 'Total',
  upper_bound: 'At most',
  lower_bound: 'At least',
} satisfies Record<Basis, string>;

const ESTIMATE_BASIS_MESSAGES = {
  exact: 'Steps are charged as they finish. Failed steps cost nothing.',
  upper_bound: 'You may pay less: steps are charged as they finish, and failed or skipped steps cost nothing.',
  lower_bound: 'The final price depends on what the steps find. Steps are charged as they finish.',
} satisfies Record<Basis, string>;
