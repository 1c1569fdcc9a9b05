import { Link } from '@tanstack/react-router';
import { CircleHelp, TrendingDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatMoney } from '#contract/money.ts';
import { isTaskId } from '#contract/catalog.ts';
import { type MarginGroup, PROGRAMS } from '#contract/ledger.ts';
import { COST_BASES } from '#contract/providers.ts';
import type { Margin, MarginRow, MarginSums } from '#contract/resources/margin.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { COST_BASIS_LABELS } from '#web/upstream/cost-basis-labels.ts';
import { Badge } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { alignMoney } from '#web/api/money.tsx';
import type { BillingSearch } from '../billing-search.ts';
import { formatUtcDay } from '../period.ts';
import { toLedgerSearch } from '../spending-search.ts';

interface MarginTableProps {
  margin: Margin;
  /** What the margin is grouped by. */
  heading: string;
  period: Period;
}

interface Period {
  from: string;
  to: string;
}

/** Stacked in a narrow container, columns in a wide one. */
const grid = cx(
  "grid gap-x-4 gap-y-2 px-4 py-3 grid-cols-2 [grid-template-areas:'name_jobs'_'charged_margin'_'cost_cost']",
  "@4xl:grid-cols-[minmax(0,1fr)_4rem_8rem_17rem_12rem] @4xl:[grid-template-areas:'name_jobs_charged_cost_margin']",
);

/** Charges, costs and margins; each row is a grid. */
export function MarginTable({ margin: { data, total, group_by }, heading, period }: MarginTableProps) {
  return (
    <div className="@container">
      <table aria-label="Margin" className="block rounded-md border border-line bg-surface text-sm tabular-nums">
        <thead className="block @max-4xl:sr-only">
          <tr className={cx(grid, 'border-b border-line text-xs text-ink-3 *:font-medium @4xl:py-2')}>
            <th scope="col" className="text-left">
              {heading}
            </th>
            <ColumnHeader>Jobs</ColumnHeader>
            <ColumnHeader>Charged</ColumnHeader>
            <ColumnHeader>Cost</ColumnHeader>
            <ColumnHeader>Margin</ColumnHeader>
          </tr>
        </thead>
        <tbody className="block">
          {data.map((row) => (
            <Row key={row.id} sums={row}>
              <GroupName row={row} group_by={group_by} period={period} />
            </Row>
          ))}
          <Row sums={total} isTotal>
            Total
          </Row>
        </tbody>
      </table>
    </div>
  );
}

const ColumnHeader = ({ children }: { children: string }) => (
  <th scope="col" className="text-right">
    {children}
  </th>
);

/** Links to the charges of a group; the ledger has no filter for providers. */
function GroupName({ row: { id, name }, group_by, period }: { row: MarginRow; group_by: MarginGroup; period: Period }) {
  const names = useCatalogNames();
  const search = ledgerSearch(group_by, id, period);
  const label = group_by === 'day' ? formatUtcDay(id) : group_by === 'model' ? (names.find(id) ?? name) : name;
  if (!search) return label;
  return (
    <Link to="/billing" search={search} className="underline decoration-edge underline-offset-2 hover:decoration-ink">
      {label}
    </Link>
  );
}

function ledgerSearch(group_by: MarginGroup, id: string, period: Period): BillingSearch | null {
  const charges = { part: 'ledger', type: 'SETTLE', ...period } as const;
  if (group_by === 'provider') return null;
  if (group_by === 'day') return { ...charges, from: id, to: id };
  const by = group_by === 'model' && isTaskId(id) ? 'task' : group_by;
  const search = toLedgerSearch(by, id === PROGRAMS ? null : id);
  return search && { ...charges, ...search };
}

function Row({ sums, isTotal, children }: { sums: MarginSums; isTotal?: boolean; children: ReactNode }) {
  const { count, charged_usd, cost_usd, margin_usd, by_basis, unknown_cost_count } = sums;
  const isLoss = margin_usd.startsWith('-');
  const isCostUnknown = unknown_cost_count > 0 && COST_BASES.every((basis) => by_basis[basis] === 0);
  return (
    <tr className={cx(grid, 'border-line not-last:border-b', isTotal && 'font-semibold')}>
      <th
        scope="row"
        className={cx('min-w-0 text-left wrap-anywhere [grid-area:name]', isTotal ? 'font-semibold' : 'font-medium')}
      >
        {children}
      </th>
      <td className="text-right [grid-area:jobs]">
        {formatNumber(count)}
        <span aria-hidden="true" className="text-ink-3 @4xl:hidden">
          {count === 1 ? ' job' : ' jobs'}
        </span>
      </td>
      <Figure name="Charged" amount_usd={charged_usd} className="[grid-area:charged]" />
      <Figure name="Cost" amount_usd={isCostUnknown ? null : cost_usd} className="[grid-area:cost]">
        <CostLabels sums={sums} />
      </Figure>
      <Figure
        name="Margin"
        amount_usd={isCostUnknown ? null : margin_usd}
        className={cx('[grid-area:margin]', isLoss && 'font-semibold text-bad')}
      >
        {isLoss ? (
          <span className="flex items-baseline gap-1 text-xs">
            <TrendingDown aria-hidden="true" className="size-3.5 self-center" />
            Loss
          </span>
        ) : unknown_cost_count > 0 || hasOnlyOwnServers(sums) ? (
          <span className="text-xs font-normal text-ink-3">{isCostUnknown ? 'Unknown' : 'at most'}</span>
        ) : null}
      </Figure>
    </tr>
  );
}

interface FigureProps {
  name: string;
  /** null: unknown. */
  amount_usd: string | null;
  className: string;
  /** What qualifies the amount; before it in a column, after it where the row is stacked. */
  children?: ReactNode;
}

const Figure = ({ name, amount_usd, className, children }: FigureProps) => (
  <td className={cx('min-w-0', className)}>
    <span aria-hidden="true" className="block text-xs font-normal text-ink-3 @4xl:hidden">
      {name}
    </span>
    <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1 @4xl:flex-row-reverse @4xl:flex-nowrap">
      {amount_usd === null ? null : <Amount amount_usd={amount_usd} />}
      {children}
    </span>
  </td>
);

/** Figure spaces line up the points of a column; a stacked row has no column. */
const Amount = ({ amount_usd }: { amount_usd: string }) => {
  const text = formatMoney(amount_usd);
  return (
    <span className="whitespace-nowrap">
      {text}
      <span className="@max-4xl:hidden">{alignMoney(amount_usd).slice(text.length)}</span>
    </span>
  );
};

/** A list price of nothing: the jobs ran on one’s own servers, whose cost is not counted. */
const hasOnlyOwnServers = ({ cost_usd, by_basis }: MarginSums) =>
  by_basis.list > 0 && by_basis.reported + by_basis.computed === 0 && Number(cost_usd) === 0;

/** How many costs are known in which way, and how many are not. */
function CostLabels({ sums }: { sums: MarginSums }) {
  const { by_basis, unknown_cost_count } = sums;
  const known = COST_BASES.filter((basis) => by_basis[basis] > 0);
  return (
    <span className="flex flex-wrap items-center gap-1 font-normal @4xl:justify-end">
      {known.map((basis) => (
        <Badge key={basis}>
          {basis === 'list' && hasOnlyOwnServers(sums) ? 'No price per result' : COST_BASIS_LABELS[basis].label}
          {known.length > 1 || unknown_cost_count > 0 ? ` ${formatNumber(by_basis[basis])}` : null}
        </Badge>
      ))}
      {unknown_cost_count > 0 ? (
        <span className="flex items-baseline gap-1 text-xs text-ink-2">
          <CircleHelp aria-hidden="true" className="size-3.5 flex-none self-center" />
          Cost of {formatNumber(unknown_cost_count)} {unknown_cost_count === 1 ? 'job' : 'jobs'} is unknown
        </span>
      ) : null}
    </span>
  );
}
