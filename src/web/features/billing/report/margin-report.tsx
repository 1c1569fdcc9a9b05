import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Scale, TrendingDown } from 'lucide-react';
import { PROGRAMS, type ReportDimension } from '#contract/money/ledger.ts';
import { formatMoney } from '#contract/money/money.ts';
import { COST_BASES } from '#contract/providers.ts';
import type { Margin, MarginRow, MarginSums } from '#contract/resources/margin.ts';
import type { EndpointFilters } from '#web/api/api-query.ts';
import { Money } from '#web/api/money.tsx';
import { marginQuery } from '#web/api/queries/billing.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { COST_BASIS_LABELS } from '#web/upstream/cost-basis-labels.ts';
import { ReportAmount, ReportTable } from '#web/collections/report-table.tsx';
import { ReportQuery, type ReportViewProps, useHeadings } from './report-view.tsx';

/** Charges beside the costs of providers, losses first. */
export function MarginReport({ query, ...view }: ReportViewProps<EndpointFilters<'get_margin'>>) {
  const margin = useQuery(marginQuery(query));
  return (
    <ReportQuery query={margin} what="The margin">
      {(data) => (
        <>
          {data.data.length > 0 ? <MarginTable margin={data} {...view} /> : <NoJobs />}
          <ImprovementCosts margin={data} />
          <CostsOutsideOrders margin={data} />
        </>
      )}
    </ReportQuery>
  );
}

const COLUMNS = ['Jobs', 'Charged', 'Cost', 'Margin'].map((name) => ({ id: name, name, link: null }));

function MarginTable({
  margin: { data, total, group_by },
  rowsLabel,
  filter,
}: { margin: Margin } & Omit<ReportViewProps<never>, 'query'>) {
  const headingOf = useHeadings({ type: 'SETTLE', ...filter });
  const rowOf = ({ id, name, ...sums }: MarginRow) => {
    const heading = headingOf(group_by, { id: isWithoutValue(group_by, id) ? null : id, name });
    return { ...heading, id, cells: cellsOf(sums) };
  };
  return (
    <>
      <ReportTable
        label="Margin"
        rowsLabel={rowsLabel}
        columns={COLUMNS}
        rows={data.map(rowOf)}
        total={cellsOf(total)}
      />
      <p className="mt-3 text-xs text-ink-3">
        Work that providers ran. A refund counts when it was made; the margin has no charges without a known cost.
      </p>
    </>
  );
}

/** The margin names what has no value, while other reports say null. */
const isWithoutValue = (by: ReportDimension, id: string) =>
  id === PROGRAMS && (by === 'person' || by.startsWith('tag:'));

function cellsOf(sums: MarginSums) {
  const { count, charged_usd, cost_usd, margin_usd, by_basis, unknown_cost_count } = sums;
  const isCostUnknown = unknown_cost_count > 0 && COST_BASES.every((basis) => by_basis[basis] === 0);
  return [
    formatNumber(count),
    <ReportAmount key="charged" amount_usd={charged_usd} />,
    <ReportAmount key="cost" amount_usd={isCostUnknown ? null : cost_usd}>
      <CostLabels sums={sums} />
    </ReportAmount>,
    <MarginAmount key="margin" amount_usd={isCostUnknown ? null : margin_usd} isAtMost={hasOnlyOwnServers(sums)} />,
  ];
}

function MarginAmount({ amount_usd, isAtMost }: { amount_usd: string | null; isAtMost: boolean }) {
  if (amount_usd === null) return <span className="text-ink-3">Unknown</span>;
  if (!amount_usd.startsWith('-'))
    return <ReportAmount amount_usd={amount_usd}>{isAtMost ? 'at most' : null}</ReportAmount>;
  return (
    <span className="font-semibold text-bad">
      <Money amount_usd={amount_usd} />
      <span className="flex items-center justify-end gap-1 text-xs">
        <TrendingDown aria-hidden="true" className="size-3.5" />
        Loss
      </span>
    </span>
  );
}

/** A list price of nothing: the jobs ran on one’s own servers, whose cost is not counted. */
const hasOnlyOwnServers = ({ cost_usd, by_basis }: MarginSums) =>
  by_basis.list > 0 && by_basis.reported + by_basis.computed === 0 && Number(cost_usd) === 0;

/** How many costs are known in which way, and how many are not. */
function CostLabels({ sums }: { sums: MarginSums }) {
  const { by_basis, unknown_cost_count } = sums;
  const known = COST_BASES.filter((basis) => by_basis[basis] > 0).map((basis) => {
    const label = basis === 'list' && hasOnlyOwnServers(sums) ? 'No price per result' : COST_BASIS_LABELS[basis].label;
    return `${label} ${formatNumber(by_basis[basis])}`;
  });
  const unknown = `cost of ${formatNumber(unknown_cost_count)} ${unknown_cost_count === 1 ? 'job' : 'jobs'} is unknown`;
  const corrected = `corrected ${formatMoney(sums.corrected_usd, { signed: true })}`;
  return [
    ...known,
    ...(Number(sums.corrected_usd) === 0 ? [] : [corrected]),
    ...(unknown_cost_count > 0 ? [unknown] : []),
  ].join(' · ');
}

function NoJobs() {
  const connected = useQuery(meQuery).data?.providers?.connected;
  const icon = <Scale aria-hidden="true" />;
  if (connected === 0)
    return (
      <EmptyState
        icon={icon}
        title="No provider jobs yet"
        actions={
          <Link to="/providers" className={buttonClass({ variant: 'primary' })}>
            Connect a provider
          </Link>
        }
      >
        Once a provider runs your models, its costs appear here beside your charges.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={icon}
      title="No provider jobs in this period"
      actions={
        connected === undefined ? null : (
          <Link to="/providers" className={buttonClass()}>
            View providers
          </Link>
        )
      }
    >
      Choose another period, or run a model at a provider.
    </EmptyState>
  );
}

/** Nobody is charged for improved prompts, so they have no margin. */
function ImprovementCosts({ margin: { prompt_improvements } }: { margin: Margin }) {
  const { count, cost_usd } = prompt_improvements;
  if (count === 0) return null;
  return (
    <p className="mt-3 text-sm text-ink-2">
      Improving {count === 1 ? '1 prompt' : `${formatNumber(count)} prompts`} cost <Money amount_usd={cost_usd} /> in
      this period. It was not charged and is not part of the margin.
    </p>
  );
}

function CostsOutsideOrders({ margin: { outside_orders_usd } }: { margin: Margin }) {
  if (Number(outside_orders_usd) === 0) return null;
  return (
    <p className="mt-3 text-sm text-ink-2">
      <Money amount_usd={outside_orders_usd} /> of provider bills was booked as cost outside of orders. It is not part
      of the margin.
    </p>
  );
}
