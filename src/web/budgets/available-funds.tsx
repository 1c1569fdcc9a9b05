import { useQuery } from '@tanstack/react-query';
import { formatMoney } from '#contract/money/money.ts';
import { billingSummaryQuery } from '#web/api/queries/billing.ts';
import { useCan } from '#web/api/queries/permissions.ts';

/** What is available to everybody, below a price. Nothing to people who may not see it. */
export function AvailableFunds() {
  const seesAll = useCan('billing.read');
  const { data } = useQuery({ ...billingSummaryQuery(), enabled: useCan('billing.read_own') });
  if (!data) return null;
  return (
    <p className="mt-2 text-sm text-ink-3 tabular-nums">
      {formatMoney(data.available_usd)} available{seesAll ? '' : ' to everybody'}, {formatMoney(data.reserved_usd)}{' '}
      reserved
    </p>
  );
}
