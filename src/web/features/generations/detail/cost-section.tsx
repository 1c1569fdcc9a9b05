import { Link } from '@tanstack/react-router';
import type { Generation } from '#contract/resources/generation.ts';
import { LineItems } from '#web/collections/line-items.tsx';
import { priceLines } from '#web/forms/money/price-lines.ts';
import { RefundButton } from '#web/forms/money/refund-button.tsx';
import { BILLING_STATUS_LABELS } from '#web/forms/money/billing-status-labels.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { Money } from '#web/api/money.tsx';
import { Section } from '#web/ui/display/section.tsx';
import { useQuery } from '@tanstack/react-query';
import { formatUsd } from '#contract/money/money.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { generationLedgerQuery } from '#web/api/queries/ledger.ts';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { summarizeMoneyTrail } from './summarize-money-trail.ts';

export function CostSection({ generation }: { generation: Generation }) {
  const names = useCatalogNames();
  const { id, usage } = generation;
  const { amount_usd, billing_status } = usage;
  const canSeeLedger = useCan('billing.read_own');
  const { label, sentence } = BILLING_STATUS_LABELS[billing_status];
  const isReversed = billing_status === 'released' || billing_status === 'refunded';
  if (usage.line_items.every((item) => !/[1-9]/.test(item.amount_usd)))
    return (
      <Section title="Cost" aside={<Badge>Free</Badge>}>
        <p className="text-sm text-ink-2">This task is free.</p>
      </Section>
    );
  return (
    <Section title="Cost" aside={<Badge>{label}</Badge>}>
      <LineItems
        columns={['For', 'Amount']}
        hasHeadings={false}
        isMuted={isReversed}
        items={priceLines(usage, names).map(({ label: name, formula, amount_usd: partUsd }, index) => ({
          id: `${index}`,
          name,
          notes: formula === '' ? [] : [formula],
          amounts: [<Money key="amount" amount_usd={partUsd} />],
        }))}
        total={{
          name: CHARGE_LABELS[billing_status],
          amounts: [<Money key="total" amount_usd={isReversed ? '0.00' : amount_usd} />],
        }}
      />
      <p className="mt-1 text-sm text-ink-3">
        {sentence}{' '}
        {canSeeLedger ? (
          <Link to="/billing" search={{ generation: id }} className="text-ink underline underline-offset-2">
            View in ledger
          </Link>
        ) : null}
      </p>
      {canSeeLedger ? <MoneyTrail generation={generation} /> : null}
      {billing_status === 'settled' ? <RefundButton charge={generation} /> : null}
    </Section>
  );
}

const CHARGE_LABELS = {
  reserved: 'Reserved',
  settled: 'Charged',
  released: 'Charged',
  refunded: 'Final charge',
} satisfies Record<Generation['usage']['billing_status'], string>;

function MoneyTrail({ generation }: { generation: Generation }) {
  const { data: entries } = useQuery(generationLedgerQuery(generation));
  if (!entries || entries.length === 0) return null;
  const { steps, paidMicroUsd, reason } = summarizeMoneyTrail(generation, entries);
  return (
    <div className="mt-4 text-sm">
      <ol aria-label="Money trail" className="border-t border-line">
        {steps.map(({ id, label, amount_usd, created_at, note }) => (
          <li key={id} className="grid grid-cols-[minmax(0,1fr)_auto_6rem] gap-x-4 border-b border-line py-1.5">
            <span className="min-w-0">
              {label}
              {note ? <span className="block text-xs text-ink-3">{note}</span> : null}
            </span>
            <RelativeTime at={created_at} className="text-ink-3" />
            <Money signed amount_usd={amount_usd} className="text-right" />
          </li>
        ))}
        <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-1.5 font-medium">
          <span>Net cost</span>
          <Money amount_usd={formatUsd(paidMicroUsd)} />
        </li>
      </ol>
      <p className="text-ink-2">{reason}</p>
    </div>
  );
}
