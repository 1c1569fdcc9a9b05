import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';

export interface VirtualListOptions {
  /** Id of every row, in order. Pass the same array while the list is the same. */
  keys: readonly string[];
  rowHeightPx: number;
  /** Height of the sticky elements that cover the top of the window. */
  coveredPx: number;
  /** A row that stays rendered wherever the list is scrolled to, so that it keeps the focus. */
  keptIndex?: number;
  onNearEnd: () => void;
  /** Scrolls a row into view, once for every new object. */
  reveal: { index: number } | null;
}

const NEAR_END_ROWS = 15;
const AHEAD_PX = 360;

const scrollBy = (top: number) => window.scrollBy({ top, behavior: 'instant' });

/** Rows of one height that scroll with the page. Rows added above do not move the view. */
export function useVirtualList(options: VirtualListOptions) {
  const { keys, rowHeightPx, coveredPx, keptIndex = -1, onNearEnd, reveal } = options;
  const list = useRef<HTMLUListElement & HTMLDivElement & HTMLTableSectionElement>(null);
  const [listTopPx, setListTopPx] = useState(0);
  const overscan = Math.max(2, Math.round(AHEAD_PX / rowHeightPx));
  const virtualizer = useWindowVirtualizer({
    count: keys.length,
    estimateSize: () => rowHeightPx,
    getItemKey: useCallback((index: number) => keys[index] ?? index, [keys]),
    overscan,
    scrollMargin: listTopPx,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    rangeExtractor: useCallback(
      (range: Range) => {
        const rows = defaultRangeExtractor(range);
        const isApart = keptIndex >= 0 && keptIndex < range.count && !rows.includes(keptIndex);
        return isApart ? [...rows, keptIndex].sort((one, other) => one - other) : rows;
      },
      [keptIndex],
    ),
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeightPx]);
  useLayoutEffect(() => {
    const update = () => setListTopPx(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    update();
    // Content above the list may change its height.
    const observer = new ResizeObserver(update);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const items = virtualizer.getVirtualItems();
  const rows = useMemo(
    () => items.map(({ index }) => ({ index, key: keys[index] ?? String(index), topPx: index * rowHeightPx })),
    [items, keys, rowHeightPx],
  );

  const before = useRef(keys);
  useLayoutEffect(() => {
    const [formerFirst] = before.current;
    before.current = keys;
    const added = formerFirst === undefined ? 0 : keys.indexOf(formerFirst);
    if (added > 0 && list.current && list.current.getBoundingClientRect().top < coveredPx)
      scrollBy(added * rowHeightPx);
  }, [keys, coveredPx, rowHeightPx]);

  const isNearEnd = keys.length > 0 && (virtualizer.range?.endIndex ?? 0) + overscan > keys.length - NEAR_END_ROWS;
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  }, [isNearEnd, keys, onNearEnd]);

  useLayoutEffect(() => {
    if (!list.current || !reveal || reveal.index < 0) return;
    const topPx = list.current.getBoundingClientRect().top + reveal.index * rowHeightPx;
    // Leaves one row free below, where a page may have a bar.
    const roomPx = window.innerHeight - 2 * rowHeightPx;
    if (topPx < coveredPx) scrollBy(topPx - coveredPx);
    else if (topPx > roomPx) scrollBy(topPx - roomPx);
    // Once for every new object, not whenever the list changes.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [reveal]);

  return { ref: list, heightPx: keys.length * rowHeightPx, rows };
}
