import type { Review } from '#contract/resources/review.ts';
import { DescriptionList, Section } from '#web/ui/section.tsx';
import { Money } from '#web/ui/money.tsx';
import { formatProviderCost } from '#web/upstream/format-provider-cost.ts';
import { UpstreamFacts } from '#web/upstream/upstream-facts.tsx';

/** What is reserved, what approving charges, what the provider charges, and where it ran. */
export function MoneySection({ review }: { review: Review }) {
  const { amount_usd, charge_usd, upstream, decision, billing_status } = review;
  return (
    <>
      <Section title="Money">
        <DescriptionList
          rows={
            decision === null
              ? [
                  { name: 'Reserved', value: <Money amount_usd={amount_usd} /> },
                  { name: 'Approving charges', value: <Money amount_usd={charge_usd} /> },
                ]
              : [{ name: 'Charged', value: <Money amount_usd={billing_status === 'settled' ? amount_usd : '0.00'} /> }]
          }
        />
        {upstream ? <p className="mt-2 text-sm text-ink-2">{formatProviderCost(upstream)}</p> : null}
      </Section>
      {upstream ? (
        <Section title="At the provider">
          <UpstreamFacts job={upstream} />
        </Section>
      ) : null}
    </>
  );
}
