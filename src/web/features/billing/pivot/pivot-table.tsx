import { Link } from '@tanstack/react-router';
import type { PivotDimension } from '#contract/ledger.ts';
import type { Pivot } from '#contract/resources/billing.ts';
import { cx } from '#web/ui/cx.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/api/money.tsx';
import { tooltipProps } from '#web/ui/tooltip-props.ts';
import type { LedgerSearch } from '../ledger/ledger-search.ts';

type Cell = Pivot['total'];
type Heading = Pick<Pivot['columns'][number], 'id' | 'name'>;

interface PivotTableProps {
  pivot: Pivot;
  rowsLabel: string;
  nameOf: (heading: Heading) => string;
  /** The ledger filter of a heading; null if the ledger cannot filter by it. */
  searchOf: (by: PivotDimension, id: string | null) => LedgerSearch | null;
}

const cell = 'border-b border-line px-3 py-2 text-right align-top whitespace-nowrap tabular-nums';
const heading = 'sticky left-0 z-1 border-b border-line bg-paper py-2 pr-4 text-left align-top font-medium';

/** Each cell shows the amount, and under it that of the period before. */
export function PivotTable({ pivot, rowsLabel, nameOf, searchOf }: PivotTableProps) {
  const { columns, rows, total } = pivot;
  if (rows.length === 0) {
    return (
      <EmptyState title="No spending in this period">Choose another period, or generate something first.</EmptyState>
    );
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards must be able to scroll a wide table */}
      <section className="relative overflow-x-auto" tabIndex={0} aria-label="Spending table">
        <table className="w-full border-separate border-spacing-0 text-sm">
          <thead className="text-xs text-ink-3">
            <tr>
              <th scope="col" className={heading}>
                {rowsLabel}
              </th>
              {columns.map((column) => (
                <th key={column.id ?? ''} scope="col" className={cx(cell, 'max-w-44 truncate font-medium')}>
                  <HeadingName name={nameOf(column)} search={searchOf(pivot.columns_by, column.id)} />
                </th>
              ))}
              <th scope="col" className={cx(cell, 'font-medium')}>
                Total
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id ?? ''}>
                <th scope="row" className={cx(heading, 'max-w-56 truncate')}>
                  <HeadingName name={nameOf(row)} search={searchOf(pivot.rows_by, row.id)} />
                </th>
                {row.cells.map((value, index) => (
                  <PivotCell key={columns[index]?.id ?? ''} value={value} />
                ))}
                <PivotCell value={row.total} strong />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" className={heading}>
                Total
              </th>
              {columns.map((column) => (
                <PivotCell key={column.id ?? ''} value={column.total} strong />
              ))}
              <PivotCell value={total} strong />
            </tr>
          </tfoot>
        </table>
      </section>
      <p className="mt-3 text-xs text-ink-3">
        Charges minus refunds, by UTC day. The smaller amounts are those of the period of the same length before.
      </p>
    </>
  );
}

/** Opens the entries of a row or column in the ledger. */
function HeadingName({ name, search }: { name: string; search: LedgerSearch | null }) {
  if (!search) return name;
  return (
    <Link to="/billing" search={{ part: 'ledger', ...search }} className="underline-offset-2 hover:underline">
      {name}
    </Link>
  );
}

const isZero = (amount_usd: string): boolean => Number(amount_usd) === 0;

function PivotCell({ value, strong = false }: { value: Cell; strong?: boolean }) {
  const { amount_usd, previous_usd, count } = value;
  if (isZero(amount_usd) && isZero(previous_usd)) {
    return (
      <td className={cx(cell, 'text-ink-3')}>
        <span aria-label="None">–</span>
      </td>
    );
  }
  return (
    <td className={cx(cell, strong && 'font-medium')}>
      <span {...tooltipProps(`${count} ${count === 1 ? 'charge' : 'charges'}`)}>
        <Money amount_usd={amount_usd} />
      </span>
      <span className="block text-xs font-normal text-ink-3">
        <span className="sr-only">Before: </span>
        <Money amount_usd={previous_usd} />
      </span>
    </td>
  );
}
