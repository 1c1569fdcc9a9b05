import { type FocusEvent, type HTMLAttributes, type ReactNode, useCallback } from 'react';
import { cx } from '#web/ui/cx.ts';
import { RowList } from '#web/ui/display/row-list.tsx';
import { Loading, Skeleton, skeletonTextWidth } from '#web/ui/display/skeleton.tsx';
import type { useListCursor } from '#web/ui/hooks/use-list-cursor.ts';
import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  type Column,
  gridTemplates,
  LIST_VARIANTS,
  type ListVariant,
  type NarrowLayout,
  nextSorting,
  type Sorting,
} from './list-columns.ts';
import { ListStates, type ListStatesProps } from '#web/api/list-states.tsx';

const placeClass = ({ line, from }: Pick<Column<never>, 'line' | 'from'>, variant: ListVariant) =>
  cx(line && variant.line[line], from && variant.from[from]);

export interface ResourceListProps<R extends { id: string }> extends Omit<
  ListStatesProps,
  'list' | 'loading' | 'children'
> {
  label: string;
  list: Omit<ListStatesProps['list'], 'rows'> & { rows: readonly R[]; hasMore: boolean; onNearEnd: () => void };
  /** Pass the same array while the cells are the same. */
  columns: readonly Column<R>[];
  narrow: NarrowLayout;
  rowRem: number;
  loadingLabel: string;
  skeletonRows?: number;
  /** A table is read cell by cell; of a list, every row names its own cells. */
  as?: 'list' | 'table';
  /** Index of the row with the keyboard cursor, and where to scroll for it. */
  cursor?: Pick<ReturnType<typeof useListCursor>, 'cursor' | 'reveal'> & { onFocus?: (id: string) => void };
  /** Height of the sticky toolbar. */
  coveredPx?: number;
  keepScroll?: boolean;
  className?: string;
  /** Where columns can be sorted. */
  sorting?: { now: Sorting; onChange: (sorting: Sorting) => void };
  /** Pass the same function while the rows look the same. */
  rowProps?: (row: R) => HTMLAttributes<HTMLElement> & { 'data-href'?: string };
}

/** A list of a resource with its header, rows, placeholders and states. */
export function ResourceList<R extends { id: string }>(props: ResourceListProps<R>) {
  const { list, columns, narrow, rowRem, as = 'list', cursor, coveredPx = 0, keepScroll = false, rowProps } = props;
  const { label, what, older, empty, loadingLabel, skeletonRows = 8, className = '', sorting } = props;
  const variant = LIST_VARIANTS[as];
  const isTable = as === 'table';
  const propsOf = useCallback(
    (row: R) => {
      const { className: rowClass, ...rest } = rowProps?.(row) ?? {};
      return {
        ...rest,
        'data-row-id': row.id,
        className: cx(
          LIST_VARIANTS[as].grid,
          'border-b border-line',
          as === 'list' && 'transition-colors hover:bg-hover has-[a[data-row]:focus-visible]:bg-hover',
          rowClass,
        ),
      };
    },
    [as, rowProps],
  );
  const renderRow = useCallback(
    (row: R) => columns.map((column) => <Cell key={column.id} column={column} row={row} as={as} />),
    [columns, as],
  );
  const head = <Head columns={columns} as={as} sorting={sorting} />;
  const skeleton = (rows: number) => <SkeletonCells rows={rows} rowRem={rowRem} columns={columns} variant={variant} />;
  return (
    <div style={gridTemplates(columns, narrow)} onFocus={(event) => followFocus(event, cursor?.onFocus)}>
      <ListStates
        list={list}
        what={what}
        older={older}
        empty={empty}
        loading={
          <Loading label={loadingLabel} className={className}>
            {isTable ? (
              <table aria-hidden="true" className="block">
                {head}
              </table>
            ) : (
              head
            )}
            {skeleton(skeletonRows)}
          </Loading>
        }
      >
        {isTable ? null : head}
        <RowList
          label={label}
          {...(isTable ? { head } : {})}
          items={list.rows}
          rowRem={rowRem}
          hasMore={list.hasMore}
          more={skeleton(3)}
          onNearEnd={list.onNearEnd}
          coveredPx={coveredPx}
          keepScroll={keepScroll}
          className={className}
          propsOf={propsOf}
          {...(cursor ? { keptIndex: cursor.cursor, reveal: cursor.reveal } : {})}
        >
          {renderRow}
        </RowList>
      </ListStates>
    </div>
  );
}

/** Not of a menu that a row opened: its events pass through the row, but it is elsewhere on the page. */
export function followFocus({ target }: FocusEvent, onFocus: ((id: string) => void) | undefined): void {
  const id = target.closest<HTMLElement>('[data-row-id]')?.dataset['rowId'];
  if (id !== undefined) onFocus?.(id);
}

function Cell<R>({ column, row, as }: { column: Column<R>; row: R; as: 'list' | 'table' }) {
  const variant = LIST_VARIANTS[as];
  const Tag = as === 'table' ? 'td' : 'div';
  return (
    <Tag
      style={{ gridArea: column.id }}
      className={cx(placeClass(column, variant), column.align && variant.right.cell, column.className)}
    >
      {column.cell(row)}
    </Tag>
  );
}

type HeadProps<R> = Pick<ResourceListProps<R & { id: string }>, 'sorting'> & {
  columns: readonly Column<R>[];
  as: 'list' | 'table';
};

function Head<R>({ columns, as, sorting }: HeadProps<R>) {
  const { grid, head, from, right } = LIST_VARIANTS[as];
  const named = columns.filter(({ header }) => header !== undefined);
  if (named.length === 0) return null;
  if (as === 'list')
    return (
      <div className={cx(grid, head)}>
        {named.map(({ id, header, align, from: shownFrom, sort }) => (
          <span
            key={id}
            aria-hidden={sort === undefined || !sorting || undefined}
            style={{ gridArea: id }}
            className={cx(align && 'text-right', shownFrom && from[shownFrom])}
          >
            {sort !== undefined && sorting ? <SortButton {...sorting} by={sort} header={header} /> : header}
          </span>
        ))}
      </div>
    );
  return (
    <thead className="block">
      <tr aria-rowindex={1} className={cx(grid, head)}>
        {named.map((column) => (
          <th
            key={column.id}
            scope="col"
            style={{ gridArea: column.id }}
            className={cx('text-left', column.align && right.cell, column.from && from[column.from])}
          >
            {column.header}
          </th>
        ))}
      </tr>
    </thead>
  );
}

const ORDERS = { desc: { label: 'descending', Icon: ArrowDown }, asc: { label: 'ascending', Icon: ArrowUp } };

type SortButtonProps = NonNullable<ResourceListProps<{ id: string }>['sorting']> & { by: string; header: ReactNode };

function SortButton({ now, onChange, by, header }: SortButtonProps) {
  const order = now.by === by ? ORDERS[now.order] : null;
  return (
    <button
      type="button"
      onClick={() => onChange(nextSorting(now, by))}
      className={cx('inline-flex items-center gap-1 rounded-sm hover:text-ink', order && 'text-ink')}
    >
      <span className="sr-only">Sort by </span>
      {header}
      {order ? (
        <>
          <span className="sr-only">, now {order.label}</span>
          <order.Icon aria-hidden="true" className="size-3" />
        </>
      ) : null}
    </button>
  );
}

const SKELETON_GAPS = { 1: 'pb-1', 2: 'pt-1' };

interface SkeletonCellsProps<R> {
  rows: number;
  rowRem: number;
  columns: readonly Column<R>[];
  variant: ListVariant;
}

function SkeletonCells<R>({ rows, rowRem, columns, variant }: SkeletonCellsProps<R>) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={cx(variant.grid, 'border-b border-line')} style={{ height: `${rowRem}rem` }}>
          {columns.map((column) =>
            column.skeleton === undefined ? null : (
              <div
                key={column.id}
                style={{ gridArea: column.id }}
                className={cx(
                  'min-w-0',
                  placeClass(column, variant),
                  column.align && variant.right.skeleton,
                  column.line && SKELETON_GAPS[column.line],
                )}
              >
                <Skeleton
                  className={cx(
                    'max-w-full',
                    column.skeleton === 'text' ? cx('h-4', skeletonTextWidth(row)) : column.skeleton,
                  )}
                />
              </div>
            ),
          )}
        </div>
      ))}
    </div>
  );
}
