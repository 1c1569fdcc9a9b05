import { useRef, type ReactNode } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { cx } from '#web/ui/cx.ts';

export interface VirtualListProps<T> {
  items: readonly T[];
  itemKey: (item: T) => string;
  renderItem: (item: T, index: number) => ReactNode;
  /** Estimated height of a row in CSS pixels; rows are measured once they are seen. */
  rowHeight_px: number;
  label: string;
  /** Called when the end comes near: load the next page here. */
  onNearEnd?: () => void;
  /** Give it a height; the list scrolls inside. */
  className?: string;
}

/** A list of any length of which only the visible rows exist. */
export function VirtualList<T>({
  items,
  itemKey,
  renderItem,
  rowHeight_px,
  label,
  onNearEnd,
  className,
}: VirtualListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const asked = useRef(-1);
  // Its answers must not be memoized, and are not: no compiler runs over this code.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight_px,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : itemKey(item);
    },
    overscan: 8,
    onChange: (instance) => {
      const last = instance.getVirtualItems().at(-1)?.index ?? 0;
      if (last < items.length - 12 || asked.current === items.length) return;
      asked.current = items.length;
      onNearEnd?.();
    },
  });
  return (
    // A region that scrolls has to take focus, or the keyboard could not scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={scroller} tabIndex={0} className={cx('overflow-y-auto overscroll-contain', className)}>
      <ul aria-label={label} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((row) => {
          const item = items[row.index];
          return item === undefined ? null : (
            <li
              key={row.key}
              ref={virtualizer.measureElement}
              data-index={row.index}
              aria-posinset={row.index + 1}
              aria-setsize={items.length}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {renderItem(item, row.index)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
