import { Link } from '@tanstack/react-router';
import { Scale } from 'lucide-react';
import type { Close, CloseRow } from '#contract/resources/closing.ts';
import { closeQuery } from '#web/api/queries/closing.ts';
import { useWholeList } from '#web/collections/collection-list.ts';
import { defineCollection } from '#web/collections/collection-view.tsx';
import { ROW_LINK } from '#web/collections/list-columns.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { CloseFigures } from './close-figures.tsx';
import { countOf, describeRow } from './finding-labels.ts';

type ProviderRow = CloseRow & { id: string; month: string };

const rowsOf = ({ month, data }: Close): ProviderRow[] => data.map((row) => ({ ...row, id: row.provider.id, month }));

/** One row for each provider of a month. */
export const providersOf = (month: string) =>
  defineCollection({
    label: 'Providers',
    item: 'provider',
    group: 'Close',
    what: 'The month',
    filters: {},
    useList: () => useWholeList({ ...closeQuery(month), select: rowsOf }),
    body: {
      Row: ProviderMonth,
      skeletonClass: 'flex h-18 items-center gap-6',
      skeleton: (
        <>
          <Skeleton className="h-4 w-24" />
          <Skeleton className="ml-auto h-4 w-72 max-w-1/2" />
        </>
      ),
    },
    skeletonRows: 3,
    Empty: NothingToCompare,
  });

function ProviderMonth({ row }: { row: ProviderRow }) {
  const { provider, month, cost_usd, unknown_cost_count, bill_usd, bill_count, difference_usd } = row;
  const { label, tone } = describeRow(row);
  return (
    <div className="relative flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3 hover:bg-hover">
      <div className="flex min-w-40 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to="/billing"
          search={{ part: 'close', month, provider: provider.id }}
          {...ROW_LINK}
          className={`${ROW_LINK.className} font-medium wrap-anywhere`}
        >
          <bdi>{provider.name}</bdi>
        </Link>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <CloseFigures
        cost={cost_usd}
        bill={bill_usd}
        difference={difference_usd}
        unknownCostCount={unknown_cost_count}
        billNote={bill_count > 1 ? countOf(bill_count, 'bill') : null}
      />
    </div>
  );
}

function NothingToCompare() {
  return (
    <EmptyState icon={<Scale aria-hidden="true" />} title="Nothing to compare">
      No provider is connected, and none ran anything this month. Previews cost nothing.
    </EmptyState>
  );
}
