import { formatMoney } from '#contract/money/money.ts';
import type { UpstreamJob } from '#contract/resources/review.ts';
import { LineItems } from '#web/collections/line-items.tsx';

/** What bills of the provider changed about the cost of a job. */
export function CorrectedCost({ job: { cost_usd, corrections, corrected_cost_usd } }: { job: UpstreamJob }) {
  return (
    <LineItems
      columns={['What', 'Amount']}
      hasHeadings={false}
      items={[
        { id: 'cost', name: 'Known when it ran', amounts: [cost_usd === null ? 'Unknown' : formatMoney(cost_usd)] },
        ...corrections.map(({ amount_usd, month, note, by, at }) => ({
          id: at,
          name: `Bill, counted in ${month}`,
          notes: [by.person?.name ?? by.name, ...(note === null ? [] : [note])],
          amounts: [formatMoney(amount_usd, { signed: true })],
        })),
      ]}
      total={{
        name: 'Corrected',
        amounts: [corrected_cost_usd === null ? 'Unknown' : formatMoney(corrected_cost_usd)],
      }}
    />
  );
}
