import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CloseRow } from '#contract/resources/closing.ts';
import { queryError } from '#web/api/api-errors.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { closeQuery } from '#web/api/queries/closing.ts';
import { billsQuery } from '#web/api/queries/provider-bills.ts';
import { BackLink } from '#web/ui/back-link.tsx';
import { Badge } from '#web/ui/display/badge.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Refreshing } from '#web/ui/display/refreshing.tsx';
import { Loading, SkeletonText } from '#web/ui/display/skeleton.tsx';
import type { BillingTabProps } from '../billing-search.ts';
import { formatUtcMonth } from '../period.ts';
import { AddBillButton } from './add-bill-button.tsx';
import { CloseFigures } from './close-figures.tsx';
import { DifferenceBreakdown } from './difference-breakdown.tsx';
import { countOf, describeRow } from './finding-labels.ts';
import { Findings } from './findings.tsx';

interface ProviderCloseProps extends Pick<BillingTabProps, 'search' | 'onChange'> {
  month: string;
  providerId: string;
}

/** The month of one provider: what the difference is made of, and why. */
export function ProviderClose({ month, providerId, search, onChange }: ProviderCloseProps) {
  const close = useQuery(closeQuery(month));
  const problem = queryError(close);
  const row = close.data?.data.find(({ provider }) => provider.id === providerId);
  const name = formatUtcMonth(month);
  // Both are loaded at the same time.
  const hasFindings = row ? row.findings.length > 0 : close.isPending && problem === null;
  return (
    <div className="flex flex-col gap-5">
      <BackLink to="/billing" search={{ part: 'close', month }}>
        All providers in {name}
      </BackLink>
      {row ? (
        <Refreshing active={close.isPlaceholderData}>
          <div className="flex flex-col gap-5">
            <ProviderHeader row={row} month={month} />
            {row.findings.length === 0 ? (
              <EmptyState
                title={row.status === 'closed' ? `${name} was closed without a bill` : `No bill of ${name} yet`}
                actions={row.status === 'closed' ? null : <AddBillButton month={month} providers={[row.provider]} />}
              >
                {row.status === 'closed'
                  ? 'Add a bill that arrives now to a month that is open.'
                  : 'Add the file from the console of the provider. Every line is then compared with our costs.'}
              </EmptyState>
            ) : (
              <DifferenceBreakdown row={row} kind={search.finding} onChange={(finding) => onChange({ finding })} />
            )}
          </div>
        </Refreshing>
      ) : problem ? (
        <LoadError what="The month" error={problem} onRetry={() => void close.refetch()} />
      ) : close.data ? (
        <EmptyState title="Provider not found">It has no costs and no bill in {name}.</EmptyState>
      ) : (
        <Loading label="Loading month">
          <SkeletonText lines={4} />
        </Loading>
      )}
      {hasFindings ? (
        <Findings month={month} providerId={providerId} row={row} search={search} onChange={onChange} />
      ) : null}
    </div>
  );
}

function ProviderHeader({ row, month }: { row: CloseRow; month: string }) {
  const { provider, cost_usd, unknown_cost_count, bill_usd, difference_usd, corrected_usd } = row;
  const { label, tone } = describeRow(row);
  const bills = useQuery({ ...billsQuery(month, provider.id), enabled: row.bill_count > 0 }).data ?? [];
  return (
    <header className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-md font-semibold wrap-anywhere">
          <bdi>{provider.name}</bdi>, {formatUtcMonth(month)}
        </h2>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <CloseFigures
        cost={cost_usd}
        bill={bill_usd}
        difference={difference_usd}
        corrected={corrected_usd}
        unknownCostCount={unknown_cost_count}
      />
      {bills.length > 0 ? (
        <ul aria-label="Bills" className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {bills.map(({ id, filename, line_count }) => (
            <li key={id} className="min-w-0 wrap-anywhere">
              <Link to="/billing" search={{ part: 'close', month, bill: id }} className="underline underline-offset-2">
                <bdi>{filename}</bdi>
              </Link>{' '}
              <span className="text-ink-3">{countOf(line_count, 'line')}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </header>
  );
}
