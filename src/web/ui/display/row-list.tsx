import { type HTMLAttributes, memo, type ReactNode, useMemo, type RefObject, useEffect } from 'react';
import { cx } from '#web/ui/cx.ts';
import { LoadMoreSkeleton } from './skeleton.tsx';
import { useRootFontSize } from '#web/ui/hooks/use-element-size.ts';
import { useVirtualList, type VirtualListOptions } from '#web/ui/hooks/use-virtual-list.ts';
import { useRouter } from '@tanstack/react-router';

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.defaultPrevented);

/**
 * One handler serves a long list, where a router link in each row would cost more than the rest of the row.
 * A press on a row (`[data-href]`) outside its links counts too.
 */
function useClientSideLinks(inside: RefObject<HTMLElement | null>, keepScroll: boolean): void {
  const router = useRouter();
  useEffect(() => {
    const element = inside.current;
    const follow = (event: MouseEvent) => {
      if (!isPlainClick(event) || !(event.target instanceof Element) || getSelection()?.type === 'Range') return;
      const hit = event.target.closest('a[href], [data-href]');
      const href = hit?.getAttribute('href') ?? hit?.getAttribute('data-href');
      if (!href?.startsWith('/')) return;
      event.preventDefault();
      void router.navigate({ href, resetScroll: !keepScroll });
    };
    element?.addEventListener('click', follow);
    return () => element?.removeEventListener('click', follow);
  }, [inside, router, keepScroll]);
}

export interface RowListProps<R extends { id: string }> extends Pick<VirtualListOptions, 'keptIndex' | 'onNearEnd'> {
  label: string;
  /** The header row. With it the list is a table, without it a list. */
  head?: ReactNode;
  items: readonly R[];
  rowRem: number;
  hasMore: boolean;
  more: ReactNode;
  coveredPx?: number;
  /** The links of the rows open a panel beside the list. */
  keepScroll?: boolean;
  reveal?: VirtualListOptions['reveal'];
  className?: string;
  propsOf?: (item: R) => HTMLAttributes<HTMLElement> & { 'data-href'?: string | undefined; 'data-row-id'?: string };
  children: (item: R) => ReactNode;
}

/** Renders a virtual list of equally high rows, newest first, that scrolls with the page. */
export function RowList<R extends { id: string }>(props: RowListProps<R>) {
  const {
    label,
    head,
    items,
    rowRem,
    hasMore,
    coveredPx = 0,
    reveal = null,
    keptIndex,
    onNearEnd,
    keepScroll = false,
  } = props;
  const inTable = head !== undefined;
  const rowHeightPx = rowRem * useRootFontSize();
  const keys = useMemo(() => items.map(({ id }) => id), [items]);
  const { ref, heightPx, rows } = useVirtualList({ keys, rowHeightPx, coveredPx, keptIndex, reveal, onNearEnd });
  useClientSideLinks(ref, keepScroll);
  const { propsOf, children: render } = props;
  const size = hasMore ? -1 : items.length;
  const elements = useMemo(
    () =>
      rows.map(({ index, key, topPx }) => {
        const item = items[index];
        const position = { position: index + 1, size, topPx, heightPx: rowHeightPx };
        return item ? (
          <Row key={key} item={item} inTable={inTable} {...position} propsOf={propsOf} render={render} />
        ) : null;
      }),
    [rows, items, inTable, size, rowHeightPx, propsOf, render],
  );
  const className = cx('relative [overflow-anchor:none]', props.className);
  const style = { height: heightPx };
  return (
    <>
      {inTable ? (
        <table aria-label={label} aria-rowcount={hasMore ? -1 : items.length + 1} className="block">
          {head}
          <tbody ref={ref} className={cx('block', className)} style={style}>
            {elements}
          </tbody>
        </table>
      ) : (
        <ul ref={ref} aria-label={label} className={className} style={style}>
          {elements}
        </ul>
      )}
      {hasMore ? <LoadMoreSkeleton>{props.more}</LoadMoreSkeleton> : null}
    </>
  );
}

interface RowProps<R extends { id: string }> {
  item: R;
  inTable: boolean;
  position: number;
  /** -1 while the size of the list is unknown. */
  size: number;
  topPx: number;
  heightPx: number;
  propsOf: RowListProps<R>['propsOf'];
  render: (item: R) => ReactNode;
}

/** Memoized, so that rows stay as they are while others are mounted and unmounted. */
const Row = memo(function Row<R extends { id: string }>(props: RowProps<R>) {
  const { item, inTable, position, size, topPx, heightPx, propsOf, render } = props;
  const rowProps = propsOf?.(item);
  const className = cx('absolute inset-x-0 contain-box', rowProps?.className);
  const style = { height: heightPx, top: topPx };
  return inTable ? (
    // The header is row 1 of a table.
    <tr {...rowProps} aria-rowindex={position + 1} className={className} style={style}>
      {render(item)}
    </tr>
  ) : (
    <li {...rowProps} aria-posinset={position} aria-setsize={size} className={className} style={style}>
      {render(item)}
    </li>
  );
}) as <R extends { id: string }>(props: RowProps<R>) => ReactNode;
