import { type LiHTMLAttributes, memo, type ReactNode, useMemo } from 'react';
import { cx } from '#web/ui/cx.ts';
import { MoreToCome } from '#web/ui/skeleton.tsx';
import { useFollowLinks } from '#web/ui/use-follow-links.ts';
import { useRootFontSize } from '#web/ui/use-root-font-size.ts';
import { useWindowList, type WindowListOptions } from '#web/ui/use-window-list.ts';

export interface RowListProps<R extends { id: string }> extends Pick<WindowListOptions, 'keptIndex' | 'onNearEnd'> {
  label: string;
  /** The same array as long as it is the same list. */
  items: readonly R[];
  row_rem: number;
  /** Further ones are still to be read. */
  hasMore: boolean;
  /** Stands for them, below. */
  more: ReactNode;
  covered_px?: number;
  reveal?: WindowListOptions['reveal'];
  className?: string;
  /** What the element of a row has of its own. */
  propsOf?: (item: R) => LiHTMLAttributes<HTMLLIElement>;
  /** One row. */
  children: (item: R) => ReactNode;
}

/** Equally high rows, newest first, that scroll with the page. */
export function RowList<R extends { id: string }>(props: RowListProps<R>) {
  const { label, items, row_rem, hasMore, covered_px = 0, reveal = null, keptIndex, onNearEnd, className } = props;
  const rowHeight_px = row_rem * useRootFontSize();
  const keys = useMemo(() => items.map(({ id }) => id), [items]);
  const { ref, height_px, rows } = useWindowList({ keys, rowHeight_px, covered_px, keptIndex, reveal, onNearEnd });
  useFollowLinks(ref);
  const { propsOf, children: render } = props;
  const size = hasMore ? -1 : items.length;
  const elements = useMemo(
    () =>
      rows.map(({ index, key, top_px }) => {
        const item = items[index];
        const place = { position: index + 1, size, top_px, height_px: rowHeight_px };
        return item ? <Row key={key} item={item} {...place} propsOf={propsOf} render={render} /> : null;
      }),
    [rows, items, size, rowHeight_px, propsOf, render],
  );
  return (
    <>
      <ul
        ref={ref}
        aria-label={label}
        className={cx('relative [overflow-anchor:none]', className)}
        style={{ height: height_px }}
      >
        {elements}
      </ul>
      {hasMore ? <MoreToCome>{props.more}</MoreToCome> : null}
    </>
  );
}

interface RowProps<R> {
  item: R;
  /** Counted from 1. */
  position: number;
  /** Of the whole list; -1 as long as that is unknown. */
  size: number;
  top_px: number;
  height_px: number;
  propsOf: ((item: R) => LiHTMLAttributes<HTMLLIElement>) | undefined;
  render: (item: R) => ReactNode;
}

/** Stays as it is while others come and go at the ends of what is in sight. */
const Row = memo(function Row<R>({ item, position, size, top_px, height_px, propsOf, render }: RowProps<R>) {
  const own = propsOf?.(item);
  return (
    <li
      {...own}
      aria-posinset={position}
      aria-setsize={size}
      className={cx('absolute inset-x-0 contain-box', own?.className)}
      style={{ height: height_px, top: top_px }}
    >
      {render(item)}
    </li>
  );
}) as <R>(props: RowProps<R>) => ReactNode;
