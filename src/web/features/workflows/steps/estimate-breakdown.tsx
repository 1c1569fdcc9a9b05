import type { WorkflowEstimate } from '#contract/resources/workflow-estimate.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { priceLabel, priceLines } from '#web/forms/price-lines.ts';
import { Money } from '#web/ui/money.tsx';
import { ESTIMATE_BASIS_MESSAGES, formatStepRepeats, ESTIMATE_TOTAL_LABELS } from './estimate-labels.ts';

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
  const lines = priceLines(step, names).filter(({ formula }) => formula !== '');
  return (
    <tr className="align-top">
      <th scope="row" className="py-1 pr-3 text-left font-normal">
        <span className="wrap-anywhere">{name}</span>
        {repeats ? <span className="ml-1 text-ink-3"> {repeats}</span> : null}
        {maximum_count > 0
          ? lines.map(({ label, formula }) => (
              <span key={`${label}${formula}`} className="block text-xs text-ink-3">
                {label}: {formula}
              </span>
            ))
          : null}
        {note ? <span className="block text-xs text-ink-3">{note}</span> : null}
      </th>
      <td className="py-1 text-right whitespace-nowrap">{maximum_count === 0 ? '–' : priceLabel(step)}</td>
    </tr>
  );
}
