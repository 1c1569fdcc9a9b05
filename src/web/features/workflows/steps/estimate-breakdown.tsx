import type { WorkflowEstimate } from '#contract/resources/workflow-starter.ts';
import { type CatalogNames, useCatalogNames } from '#web/api/catalog-names.ts';
import { type LineItem, LineItems } from '#web/collections/line-items.tsx';
import { priceLabel, priceLines, TOTAL_LABELS } from '#web/forms/money/price-lines.ts';
import { Money } from '#web/api/money.tsx';

type Step = WorkflowEstimate['steps'][number];

export function EstimateBreakdown({ estimate }: { estimate: WorkflowEstimate }) {
  const names = useCatalogNames();
  const { steps, amount_usd, minimum_usd, basis } = estimate;
  const showsMinimum = basis === 'upper_bound' && minimum_usd !== amount_usd;
  return (
    <>
      <LineItems
        columns={['Step', 'Price']}
        hasHeadings={false}
        items={steps.map((step) => describeStep(step, names))}
        total={{
          name: (
            <>
              {TOTAL_LABELS[basis]}
              {showsMinimum ? (
                <span className="ml-1 font-normal text-ink-3">
                  {' '}
                  minimum <Money amount_usd={minimum_usd} />
                </span>
              ) : null}
            </>
          ),
          amounts: [<Money key="total" amount_usd={amount_usd} />],
        }}
      />
      <p className="mt-2 text-sm text-ink-2">{ESTIMATE_BASIS_MESSAGES[basis]}</p>
    </>
  );
}

function describeStep(step: Step, names: CatalogNames): LineItem {
  const { key, name, note, maximum_count } = step;
  const repeats = formatStepRepeats(step);
  const lines = maximum_count > 0 ? priceLines(step, names) : [];
  return {
    id: key,
    name: (
      <>
        {name}
        {repeats ? <span className="ml-1 text-ink-3"> {repeats}</span> : null}
      </>
    ),
    notes: [
      ...lines.map(({ label, formula }) => (formula === '' ? 'Includes a minimum charge' : `${label}: ${formula}`)),
      ...(note ? [note] : []),
    ],
    amounts: [
      <span key="price" className="whitespace-nowrap">
        {maximum_count === 0 ? '–' : priceLabel(step)}
      </span>,
    ],
  };
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

const ESTIMATE_BASIS_MESSAGES = {
  exact: 'Steps are charged as they finish. Failed steps cost nothing.',
  upper_bound: 'You may pay less: steps are charged as they finish, and failed or skipped steps cost nothing.',
  lower_bound: 'The final price depends on what the steps find. Steps are charged as they finish.',
} satisfies Record<Basis, string>;
