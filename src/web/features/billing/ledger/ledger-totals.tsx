import { useQuery } from '@tanstack/react-query';
import { ledgerSumsQuery } from '#web/api/queries/audit.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { Money } from '#web/ui/money.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { LEDGER_TYPE_LABELS } from './ledger-type-labels.ts';
import type { ListLedgerQuery } from './ledger-search.ts';

/** Totals of the filtered entries. Renders nothing if the service does not provide them. */
export function LedgerTotals({ filters }: { filters: ListLedgerQuery }) {
  const { data: sums, isError } = useQuery(ledgerSumsQuery(filters));
  if (sums === null || (isError && !sums)) return null;
  if (!sums) return <Skeleton className="mb-3 h-5 w-72 max-w-full" />;
  return (
    <dl aria-label="Totals" className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-2">
      <Total name="Entries">
        <span className="tabular-nums">{formatNumber(sums.count)}</span>
      </Total>
      <Total name="Spent">
        <Money amount_usd={sums.spent_usd} />
      </Total>
      {sums.by_type.map(({ type, amount_usd }) => (
        <Total key={type} name={LEDGER_TYPE_LABELS[type].label}>
          <Money signed amount_usd={amount_usd} />
        </Total>
      ))}
      <Total name="Net change">
        <Money signed amount_usd={sums.amount_usd} />
      </Total>
    </dl>
  );
}

function Total({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-ink-3">{name}</dt>
      <dd className="font-medium text-ink">{children}</dd>
    </div>
  );
}
