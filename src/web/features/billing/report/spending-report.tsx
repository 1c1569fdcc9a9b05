import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PivotDimension } from '#contract/money/ledger.ts';
import type { Pivot } from '#contract/resources/billing.ts';
import type { EndpointFilters } from '#web/api/api-query.ts';
import { Money } from '#web/api/money.tsx';
import { pivotQuery } from '#web/api/queries/billing.ts';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { tooltipProps } from '#web/ui/overlays/tooltip-props.ts';
import { ReportAmount, ReportTable } from '#web/collections/report-table.tsx';
import { type ReportViewProps, ReportQuery, useHeadings } from './report-view.tsx';

type Cell = Pivot['total'];

/** Spending by one or two dimensions, beside the period before. */
export function SpendingReport({ query, ...view }: ReportViewProps<EndpointFilters<'get_pivot'>>) {
  const pivot = useQuery(pivotQuery(query));
  return (
    <ReportQuery query={pivot} what="The report">
      {(data) => <SpendingTable pivot={data} {...view} />}
    </ReportQuery>
  );
}

function SpendingTable({ pivot, rowsLabel, filter }: { pivot: Pivot } & Omit<ReportViewProps<never>, 'query'>) {
  const headingOf = useHeadings(filter);
  const { columns, rows, total, rows_by, columns_by } = pivot;
  if (rows.length === 0)
    return (
      <EmptyState title="No spending in this period">Choose another period, or generate something first.</EmptyState>
    );
  const comparesPeriods = [total, ...rows.map((row) => row.total)].some(({ previous_usd }) => !isZero(previous_usd));
  const amount = (cell: Cell) => <SpendingCell cell={cell} comparesPeriods={comparesPeriods} />;
  const totalCells = (cell: Cell): ReactNode[] =>
    columns_by === null ? [formatNumber(cell.count), amount(cell)] : [<strong key="total">{amount(cell)}</strong>];
  return (
    <>
      <ReportTable
        label="Spending"
        rowsLabel={rowsLabel}
        columns={[
          ...columns.map((column) => headingOf(columns_by as PivotDimension, column)),
          ...(columns_by === null ? [{ id: 'Charges', name: 'Charges', link: null }] : []),
          { id: 'Total', name: columns_by === null ? 'Spent' : 'Total', link: null },
        ]}
        rows={rows.map((row) => ({
          ...headingOf(rows_by, row),
          cells: [...row.cells.map(amount), ...totalCells(row.total)],
        }))}
        total={[...columns.map((column) => amount(column.total)), ...totalCells(total)]}
      />
      <p className="mt-3 text-xs text-ink-3">
        Charges minus refunds, by UTC day.
        {comparesPeriods ? ' The smaller amounts are those of the period of the same length before.' : null}
      </p>
    </>
  );
}

const isZero = (amountUsd: string): boolean => Number(amountUsd) === 0;

function SpendingCell({ cell, comparesPeriods }: { cell: Cell; comparesPeriods: boolean }) {
  const { amount_usd, previous_usd, count } = cell;
  if (isZero(amount_usd) && isZero(previous_usd)) return <span aria-label="None">–</span>;
  return (
    <span {...tooltipProps(`${formatNumber(count)} ${count === 1 ? 'charge' : 'charges'}`)}>
      <ReportAmount amount_usd={amount_usd}>
        {comparesPeriods ? (
          <>
            <span className="sr-only">Before: </span>
            <Money amount_usd={previous_usd} />
          </>
        ) : null}
      </ReportAmount>
    </span>
  );
}
