import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

export interface VirtualListOptions {
  /** Id of every row, in order. Pass the same array while the list is the same. */
  keys: readonly string[];
  rowHeight_px: number;
  /** Height of the sticky elements that cover the top of the window. */
  covered_px: number;
  /** A row that stays rendered wherever the list is scrolled to, so that it keeps the focus. */
  keptIndex?: number;
  onNearEnd: () => void;
  /** Scrolls a row into view, once for every new object. */
  reveal: { index: number } | null;
}

const NEAR_END_ROWS = 15;

const scrollBy = (top: number) => window.scrollBy({ top, behavior: 'instant' });

/**
 * Rows added above do not move the view. Rows are rendered between two frames before they become visible, and after a
 * jump in the same frame. @returns `rows`: the same array while the rendered rows are the same
 */
export function useVirtualList(options: VirtualListOptions) {
  const { keys, rowHeight_px, covered_px, keptIndex, onNearEnd, reveal } = options;
  const list = useRef<HTMLUListElement & HTMLDivElement & HTMLTableSectionElement>(null);
  const [first, setFirst] = useState(0);
  const [window_px, setWindow_px] = useState(window.innerHeight);
  const pace = renderingPace(rowHeight_px);
  const { from, end } = visibleRange(first, Math.ceil(window_px / rowHeight_px) + 1, keys.length, pace);
  const rows = useMemo(() => {
    const rowAt = (index: number) => ({ index, key: keys[index] ?? String(index), top_px: index * rowHeight_px });
    const range = Array.from({ length: end - from }, (_, row) => rowAt(from + row));
    if (keptIndex === undefined || keptIndex < 0 || keptIndex >= keys.length) return range;
    if (keptIndex < from) return [rowAt(keptIndex), ...range];
    return keptIndex < end ? range : [...range, rowAt(keptIndex)];
  }, [from, end, keptIndex, keys, rowHeight_px]);

  const rendered = useRef({ from, end, count: keys.length });
  useLayoutEffect(() => {
    rendered.current = { from, end, count: keys.length };
    // Forces the layout now: there is time between two frames, and little within the next.
    list.current?.getBoundingClientRect();
  }, [rows, from, end, keys]);

  useLayoutEffect(() => {
    const { batch } = renderingPace(rowHeight_px);
    const visibleRows = () => {
      const scrolled_px = -(list.current?.getBoundingClientRect().top ?? 0);
      return { top: Math.floor(scrolled_px / rowHeight_px), bottom: (scrolled_px + window.innerHeight) / rowHeight_px };
    };
    const update = () => {
      const { top, bottom } = visibleRows();
      const known = rendered.current;
      const hasJumped = Math.max(0, top) < known.from || Math.min(bottom, known.count) > known.end;
      const follow = () => {
        setFirst(firstOfBatch(top, batch));
        setWindow_px(window.innerHeight);
      };
      if (hasJumped) flushSync(follow);
      else follow();
    };
    setFirst(firstOfBatch(visibleRows().top, batch));
    window.addEventListener('scroll', update, { passive: true });
    window.addEventListener('resize', update);
    // Content above the list may change its height.
    const observer = new ResizeObserver(update);
    observer.observe(document.body);
    return () => {
      window.removeEventListener('scroll', update);
      window.removeEventListener('resize', update);
      observer.disconnect();
    };
  }, [rowHeight_px]);

  const before = useRef(keys);
  useLayoutEffect(() => {
    const [formerFirst] = before.current;
    before.current = keys;
    const added = formerFirst === undefined ? 0 : keys.indexOf(formerFirst);
    if (added > 0 && list.current && list.current.getBoundingClientRect().top < covered_px)
      scrollBy(added * rowHeight_px);
  }, [keys, covered_px, rowHeight_px]);

  const isNearEnd = keys.length > 0 && end > keys.length - NEAR_END_ROWS;
  useEffect(() => {
    if (!isNearEnd) return;
    // Runs after the frame in which a scroll comes near, which has enough to do.
    const timer = window.setTimeout(onNearEnd);
    return () => window.clearTimeout(timer);
  }, [isNearEnd, keys, onNearEnd]);

  useLayoutEffect(() => {
    if (!list.current || !reveal || reveal.index < 0) return;
    const top_px = list.current.getBoundingClientRect().top + reveal.index * rowHeight_px;
    // Leaves one row free below, where a page may have a bar.
    const room_px = window.innerHeight - 2 * rowHeight_px;
    if (top_px < covered_px) scrollBy(top_px - covered_px);
    else if (top_px > room_px) scrollBy(top_px - room_px);
    // Once for every new object, not whenever the list changes.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [reveal]);

  return { ref: list, height_px: keys.length * rowHeight_px, rows };
}

/**
 * How many rows are rendered beyond the visible ones, and how many are mounted and unmounted at once: low rows in
 * batches, so that few frames of a scroll pay the fixed cost of a change; high ones alone, as they fill a frame.
 */
export const renderingPace = (rowHeight_px: number) => ({
  overscan: Math.max(2, Math.round(360 / rowHeight_px)),
  batch: Math.max(1, Math.round(240 / rowHeight_px)),
});

export const firstOfBatch = (row: number, batch: number): number => Math.max(0, row - (row % batch));

/**
 * @param first the first visible row; beyond the end of a list that has become shorter, its last rows count
 * @param mostInSight as many are rendered at every position, so that the same number is mounted and unmounted
 * @returns the first row, and the row after the last
 */
export function visibleRange(
  first: number,
  mostInSight: number,
  count: number,
  { overscan, batch }: ReturnType<typeof renderingPace>,
): { from: number; end: number } {
  const start = firstOfBatch(Math.min(first, count - mostInSight), batch);
  return {
    from: Math.max(0, start - overscan),
    end: Math.min(count, start + mostInSight + batch - 1 + overscan),
  };
}
