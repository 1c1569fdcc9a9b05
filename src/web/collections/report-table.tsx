import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Money } from '#web/api/money.tsx';
import { cx } from '#web/ui/cx.ts';

export interface ReportHeading {
  id: string;
  name: string;
  /** Opens what the figures add up; null if no list can filter by it. */
  link: Pick<LinkProps, 'to' | 'search'> | null;
}

export interface ReportRow extends ReportHeading {
  cells: readonly ReactNode[];
}

interface ReportTableProps {
  label: string;
  /** What the rows are. */
  rowsLabel: string;
  columns: readonly ReportHeading[];
  rows: readonly ReportRow[];
  total: readonly ReactNode[];
}

const cell = 'border-b border-line px-2 py-2 text-right sm:px-3 align-top whitespace-nowrap tabular-nums';
const heading = 'sticky left-0 z-1 border-b border-line bg-paper py-2 pr-2 text-left sm:pr-4 align-top font-medium';

/** Rows and figures with their totals; headings open what they add up. */
export function ReportTable({ label, rowsLabel, columns, rows, total }: ReportTableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards must be able to scroll a wide table
    <section className="relative overflow-x-auto" tabIndex={0} aria-label={`${label} table`}>
      <table aria-label={label} className="w-full border-separate border-spacing-0 text-sm">
        <thead className="text-xs text-ink-3">
          <tr>
            <th scope="col" className={heading}>
              {rowsLabel}
            </th>
            {columns.map((column) => (
              <th key={column.id} scope="col" className={cx(cell, 'max-w-44 truncate font-medium')}>
                <HeadingName heading={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row" className={cx(heading, 'max-w-56 truncate')}>
                <HeadingName heading={row} />
              </th>
              {row.cells.map((content, at) => (
                <td key={columns[at]?.id} className={cell}>
                  {content}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" className={heading}>
              Total
            </th>
            {total.map((content, at) => (
              <td key={columns[at]?.id} className={cx(cell, 'font-medium')}>
                {content}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function HeadingName({ heading: { name, link } }: { heading: ReportHeading }) {
  if (!link) return name;
  return (
    <Link {...link} className="underline-offset-2 hover:underline">
      {name}
    </Link>
  );
}

/** An amount, and what qualifies it below. */
export const ReportAmount = ({ amount_usd, children }: { amount_usd: string | null; children?: ReactNode }) => (
  <>
    {amount_usd === null ? null : <Money amount_usd={amount_usd} />}
    {children ? <span className="block text-xs font-normal text-ink-3">{children}</span> : null}
  </>
);
