import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
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

/**
 * A list of equally high rows that scrolls with the page; only rows in sight exist. Rows added above leave the view where it
 * is. Rows come and go between two frames, before they are in sight; after a jump, in its own frame.
 * @returns `rows`: the same array as long as they are the same
 */
export function useWindowList(options: WindowListOptions) {
  const { keys, rowHeight_px, covered_px, keptIndex, onNearEnd, reveal } = options;
  const list = useRef<HTMLUListElement & HTMLDivElement>(null);
  const [margin_px, setMargin_px] = useState(0);
  const [, renderAgain] = useReducer((times: number) => times + 1, 0);
  const rendered = useRef({ from: 0, end: 0 });
  // oxlint-disable-next-line react/incompatible-library -- its answers must not be memoized, and are not: no compiler runs here
  const virtualizer = useWindowVirtualizer({
    useFlushSync: false,
    onChange: ({ range }, sync) => {
      const { from, end } = rendered.current;
      if (sync && range && (range.startIndex < from || range.endIndex >= end)) flushSync(renderAgain);
    },
    count: keys.length,
    estimateSize: () => rowHeight_px,
    scrollMargin: margin_px,
    scrollPaddingStart: covered_px,
    scrollPaddingEnd: rowHeight_px,
    rangeExtractor: (range): number[] =>
      rowsAround(range, Math.ceil((virtualizer.scrollRect?.height ?? 0) / rowHeight_px) + 1),
  });
  const indexes = virtualizer.getVirtualIndexes();
  const from = indexes[0] ?? 0;
  const end = from + indexes.length;
  const rows = useMemo(() => {
    const rowAt = (index: number) => ({ index, key: keys[index] ?? String(index), top_px: index * rowHeight_px });
    const around = Array.from({ length: end - from }, (_, row) => rowAt(from + row));
    if (keptIndex === undefined || keptIndex < 0 || keptIndex >= keys.length) return around;
    if (keptIndex < from) return [rowAt(keptIndex), ...around];
    return keptIndex < end ? around : [...around, rowAt(keptIndex)];
  }, [from, end, keptIndex, keys, rowHeight_px]);

  useLayoutEffect(() => {
    rendered.current = { from, end };
    // Laid out at once: there is time between two frames, and little within the next.
    list.current?.getBoundingClientRect();
  }, [rows, from, end]);

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

  const near = keys.length > 0 && end > keys.length - NEAR_END_ROWS;
  useEffect(() => {
    if (!near) return;
    // After the frame in which a scroll comes near, which has enough to do.
    const soon = window.setTimeout(onNearEnd);
    return () => window.clearTimeout(soon);
  }, [near, keys, onNearEnd]);

  useLayoutEffect(() => {
    if (reveal && reveal.index >= 0) virtualizer.scrollToIndex(reveal.index, { align: 'auto' });
  }, [virtualizer, reveal]);

  return { ref: list, height_px: keys.length * rowHeight_px, rows };
}
