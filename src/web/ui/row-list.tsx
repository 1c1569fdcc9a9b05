import { type HTMLAttributes, memo, type ReactNode, useMemo, type RefObject, useEffect } from 'react';
import { cx } from './cx.ts';
import { LoadMoreSkeleton } from './skeleton.tsx';
import { useRootFontSize } from './use-root-font-size.ts';
import { useVirtualList, type VirtualListOptions } from './use-virtual-list.ts';
import { useRouter } from '@tanstack/react-router';

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.defaultPrevented);

/**
 * Lets plain `<a>`s inside an element open pages of ours without loading the app anew: one handler for a long list, where a
 * router's link in each row would cost more than the rest of it. A press on a row (`[data-href]`) beside its links counts too.
 */
function useClientSideLinks(inside: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(() => {
    const element = inside.current;
    const follow = (event: MouseEvent) => {
      if (!isPlainClick(event) || !(event.target instanceof Element) || getSelection()?.type === 'Range') return;
      const hit = event.target.closest('a[href], [data-href]');
      const href = hit?.getAttribute('href') ?? hit?.getAttribute('data-href');
      if (!href?.startsWith('/')) return;
      event.preventDefault();
      void router.navigate({ href });
    };
    element?.addEventListener('click', follow);
    return () => element?.removeEventListener('click', follow);
  }, [inside, router]);
}

export interface RowListProps<R extends { id: string }> extends Pick<VirtualListOptions, 'keptIndex' | 'onNearEnd'> {
  label: string;
  /** The header row. With it the rows are those of a table, without it those of a list. */
  head?: ReactNode;
  /** The same array as long as it is the same list. */
  items: readonly R[];
  row_rem: number;
  /** Further ones are still to be read. */
  hasMore: boolean;
  /** Stands for them, below. */
  more: ReactNode;
  covered_px?: number;
  reveal?: VirtualListOptions['reveal'];
  className?: string;
  /** Attributes of a row's element. */
  propsOf?: (item: R) => HTMLAttributes<HTMLElement> & { 'data-href'?: string | undefined; 'data-row-id'?: string };
  /** One row. */
  children: (item: R) => ReactNode;
}

/** Equally high rows, newest first, that scroll with the page. */
export function RowList<R extends { id: string }>(props: RowListProps<R>) {
  const { label, head, items, row_rem, hasMore, covered_px = 0, reveal = null, keptIndex, onNearEnd } = props;
  const inTable = head !== undefined;
  const rowHeight_px = row_rem * useRootFontSize();
  const keys = useMemo(() => items.map(({ id }) => id), [items]);
  const { ref, height_px, rows } = useVirtualList({ keys, rowHeight_px, covered_px, keptIndex, reveal, onNearEnd });
  useClientSideLinks(ref);
  const { propsOf, children: render } = props;
  const size = hasMore ? -1 : items.length;
  const elements = useMemo(
    () =>
      rows.map(({ index, key, top_px }) => {
        const item = items[index];
        const place = { position: index + 1, size, top_px, height_px: rowHeight_px };
        return item ? (
          <Row key={key} item={item} inTable={inTable} {...place} propsOf={propsOf} render={render} />
        ) : null;
      }),
    [rows, items, inTable, size, rowHeight_px, propsOf, render],
  );
  const className = cx('relative [overflow-anchor:none]', props.className);
  const style = { height: height_px };
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
  /** Counted from 1. */
  position: number;
  /** Of the whole list; -1 as long as that is unknown. */
  size: number;
  top_px: number;
  height_px: number;
  propsOf: RowListProps<R>['propsOf'];
  render: (item: R) => ReactNode;
}

/** Stays as it is while others come and go at the ends of what is in sight. */
const Row = memo(function Row<R extends { id: string }>(props: RowProps<R>) {
  const { item, inTable, position, size, top_px, height_px, propsOf, render } = props;
  const own = propsOf?.(item);
  const className = cx('absolute inset-x-0 contain-box', own?.className);
  const style = { height: height_px, top: top_px };
  return inTable ? (
    // The header row is the first one of a table.
    <tr {...own} aria-rowindex={position + 1} className={className} style={style}>
      {render(item)}
    </tr>
  ) : (
    <li {...own} aria-posinset={position} aria-setsize={size} className={className} style={style}>
      {render(item)}
    </li>
  );
}) as <R extends { id: string }>(props: RowProps<R>) => ReactNode;
