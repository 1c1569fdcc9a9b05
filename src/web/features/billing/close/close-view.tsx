import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { formatNano, parseNano } from '#contract/money/money.ts';
import type { Close, CloseRow } from '#contract/resources/provider-bill.ts';
import { queryError } from '#web/api/api-errors.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Money } from '#web/api/money.tsx';
import { useCan } from '#web/api/queries/permissions.ts';
import { closeQuery } from '#web/api/queries/provider-bills.ts';
import { ReportAmount, ReportTable } from '#web/collections/report-table.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { toUtcDay } from '#web/ui/controls/days.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { Refreshing } from '#web/ui/display/refreshing.tsx';
import { Loading, SkeletonText } from '#web/ui/display/skeleton.tsx';
import type { BillingTabProps } from '../billing-search.ts';
import { MonthSelect } from '../statement/month-select.tsx';
import { addMonths } from '../statement/months.ts';
import { AddBillDialog } from './add-bill-dialog.tsx';
import { BillReadings } from './bill-readings.tsx';
import { BillDetails } from './bill-details.tsx';
import { MonthBills } from './month-bills.tsx';

const MONTHS_BACK = 24;

/** Our costs of a month beside the bills of providers. */
export function CloseView(props: BillingTabProps) {
  return props.search.bill === undefined ? <CloseMonth {...props} /> : <BillDetails id={props.search.bill} />;
}

function CloseMonth({ search, onChange }: BillingTabProps) {
  const [thisMonth] = useState(() => toUtcDay(new Date()).slice(0, 7));
  // The last month that is over.
  const month = search.month ?? addMonths(thisMonth, -1);
  const close = useQuery(closeQuery(month));
  const problem = queryError(close);
  const canAdd = useCan('funds.manage');
  const [isAdding, setIsAdding] = useState(false);
  const providers = close.data?.data.map(({ provider }) => provider) ?? [];
  return (
    <div className="flex max-w-4xl flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <MonthSelect
          month={month}
          earliest={addMonths(thisMonth, -MONTHS_BACK)}
          latest={thisMonth}
          onChange={(next) => onChange({ month: next })}
        />
        {canAdd && providers.length > 0 ? (
          <Button
            variant="primary"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => setIsAdding(true)}
          >
            Add bill
          </Button>
        ) : null}
      </div>
      {close.data ? (
        <Refreshing active={close.isPlaceholderData}>
          <CloseTable close={close.data} />
        </Refreshing>
      ) : problem ? (
        <LoadError what="The month" error={problem} onRetry={() => void close.refetch()} />
      ) : (
        <Loading label="Loading month">
          <SkeletonText lines={4} />
        </Loading>
      )}
      <BillReadings month={month} />
      <MonthBills month={month} />
      {isAdding ? <AddBillDialog month={month} providers={providers} onClose={() => setIsAdding(false)} /> : null}
    </div>
  );
}

function CloseTable({ close: { data } }: { close: Close }) {
  if (data.length === 0)
    return (
      <Callout title="Nothing to compare">
        No provider is connected, and none ran anything this month. Previews cost nothing.
      </Callout>
    );
  const sum = (amounts: readonly (string | null)[]): string =>
    formatNano(amounts.reduce((total, amount) => total + (amount === null ? 0n : parseNano(amount)), 0n));
  return (
    <ReportTable
      label="Providers"
      rowsLabel="Provider"
      columns={COLUMNS}
      rows={data.map((row) => ({ ...row.provider, link: null, cells: cellsOf(row) }))}
      total={[
        <Money key="cost" amount_usd={sum(data.map(({ cost_usd }) => cost_usd))} />,
        <Money key="bill" amount_usd={sum(data.map(({ bill_usd }) => bill_usd))} />,
        <Money key="difference" amount_usd={sum(data.map(({ difference_usd }) => difference_usd))} signed />,
      ]}
    />
  );
}

const COLUMNS = ['Our cost', 'Their bill', 'Difference'].map((name) => ({ id: name, name, link: null }));

const cellsOf = ({ cost_usd, unknown_cost_count, bill_count, bill_usd, difference_usd }: CloseRow) => [
  <ReportAmount key="cost" amount_usd={cost_usd}>
    {unknown_cost_count > 0
      ? `${formatNumber(unknown_cost_count)} ${unknown_cost_count === 1 ? 'job' : 'jobs'} without a known cost`
      : null}
  </ReportAmount>,
  <ReportAmount key="bill" amount_usd={bill_usd}>
    {bill_count === 0 ? 'No bill yet' : bill_count > 1 ? `${formatNumber(bill_count)} bills` : null}
  </ReportAmount>,
  difference_usd === null ? null : <Money key="difference" amount_usd={difference_usd} signed />,
];
