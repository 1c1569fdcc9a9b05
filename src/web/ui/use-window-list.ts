import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { rowsAround } from '#web/ui/rows-around.ts';

export interface WindowListOptions {
  /** Identity of every row, in order; the same array as long as it is the same list. */
  keys: readonly string[];
  rowHeight_px: number;
  /** Height of what sticks to the top of the window and hides rows. */
  covered_px: number;
  /** A row that stays rendered wherever the list is scrolled to, so that it keeps the focus. */
  keptIndex?: number;
  onNearEnd: () => void;
  /** Brings a row into view, once for every new object. */
  reveal: { index: number } | null;
}

const NEAR_END_ROWS = 15;

/** A list of equally high rows that scrolls with the page; only rows in sight exist. Rows added above leave the view where it is. */
export function useWindowList(options: WindowListOptions) {
  const { keys, rowHeight_px, covered_px, keptIndex, onNearEnd, reveal } = options;
  const list = useRef<HTMLUListElement & HTMLDivElement>(null);
  const [margin_px, setMargin_px] = useState(0);
  // oxlint-disable-next-line react/incompatible-library -- its answers must not be memoized, and are not: no compiler runs here
  const virtualizer = useWindowVirtualizer({
    count: keys.length,
    estimateSize: () => rowHeight_px,
    getItemKey: (index) => keys[index] ?? index,
    scrollMargin: margin_px,
    scrollPaddingStart: covered_px,
    scrollPaddingEnd: rowHeight_px,
    rangeExtractor: (range) => {
      const indexes = rowsAround(range, Math.ceil((virtualizer.scrollRect?.height ?? 0) / rowHeight_px) + 1);
      const kept = keptIndex !== undefined && keptIndex >= 0 && keptIndex < keys.length;
      return kept && !indexes.includes(keptIndex) ? [...indexes, keptIndex].sort((a, b) => a - b) : indexes;
    },
  });

  useLayoutEffect(() => {
    const measure = () => {
      if (list.current) setMargin_px(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight_px]);

  const before = useRef(keys);
  useLayoutEffect(() => {
    const [first] = before.current;
    before.current = keys;
    const added = first === undefined ? 0 : keys.indexOf(first);
    if (added > 0 && window.scrollY > margin_px - covered_px)
      window.scrollBy({ top: added * rowHeight_px, behavior: 'instant' });
  }, [keys, margin_px, covered_px, rowHeight_px]);

  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const near = keys.length > 0 && last >= keys.length - NEAR_END_ROWS;
  useEffect(() => {
    if (near) onNearEnd();
  }, [near, keys.length, onNearEnd]);

  useLayoutEffect(() => {
    if (reveal && reveal.index >= 0) virtualizer.scrollToIndex(reveal.index, { align: 'auto' });
  }, [virtualizer, reveal]);

  return {
    ref: list,
    height_px: virtualizer.getTotalSize(),
    rows: items.map(({ index, key, start }) => ({ index, key: String(key), top_px: start - margin_px })),
  };
}
