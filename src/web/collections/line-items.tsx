import type { ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';

export interface LineItem {
  id: string;
  name: ReactNode;
  /** Below the name, smaller. */
  notes?: readonly ReactNode[];
  /** One per column after the first. */
  amounts: readonly ReactNode[];
  isStrong?: boolean;
}

interface LineItemsProps {
  caption?: string;
  /** What the lines are, and what each amount is. */
  columns: readonly [string, ...string[]];
  /** Where the amounts need no explanation, headings are for screen readers only. */
  hasHeadings?: boolean;
  items: readonly LineItem[];
  /** Below a line, in bold. */
  total?: Omit<LineItem, 'id'>;
  /** For amounts that no longer count. */
  isMuted?: boolean;
}

const cell = 'py-1.5 align-top';

/** A small table of amounts, with what they are for. */
export function LineItems({ caption, columns, hasHeadings = true, items, total, isMuted }: LineItemsProps) {
  const [first, ...others] = columns;
  return (
    <table className="w-full text-sm tabular-nums">
      {caption ? <caption className="pb-1 text-left font-medium">{caption}</caption> : null}
      <thead className={hasHeadings ? 'text-xs text-ink-3' : 'sr-only'}>
        <tr>
          <th scope="col" className={cx(cell, 'border-b border-line text-left font-medium')}>
            {first}
          </th>
          {others.map((name) => (
            <th key={name} scope="col" className={cx(cell, 'border-b border-line pl-4 text-right font-medium')}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={cx('divide-y divide-line', isMuted && 'text-ink-3')}>
        {items.map(({ id, ...item }) => (
          <Line key={id} item={item} columns={others} />
        ))}
      </tbody>
      {total ? (
        <tfoot className="border-t border-line-strong">
          <Line item={{ ...total, isStrong: true }} columns={others} />
        </tfoot>
      ) : null}
    </table>
  );
}

function Line({ item, columns }: { item: Omit<LineItem, 'id'>; columns: readonly string[] }) {
  const { name, notes = [], amounts, isStrong } = item;
  return (
    <tr className={isStrong ? 'font-medium' : undefined}>
      <th scope="row" className={cx(cell, 'text-left wrap-anywhere', isStrong ? 'font-medium' : 'font-normal')}>
        {name}
        {notes.map((note, at) => (
          // Notes may repeat, and do not change their order.
          <span key={at} className="block text-xs font-normal text-ink-3">
            {note}
          </span>
        ))}
      </th>
      {amounts.map((amount, at) => (
        <td key={columns[at]} className={cx(cell, 'pl-4 text-right')}>
          {amount}
        </td>
      ))}
    </tr>
  );
}
