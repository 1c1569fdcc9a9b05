import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { JustifiedRow } from './justified-rows.ts';
import { findRowIndex } from './grid-navigation.ts';

const OVERSCAN_PX = 900;
const NEAR_TOP_PX = 8;
const EDGE_PX = 8;

interface Scroller {
  atPx: () => number;
  heightPx: () => number;
  marginPx: () => number;
  to: (atPx: number) => void;
  target: EventTarget;
}

function findScroller(list: HTMLElement): Scroller {
  let box = list.parentElement;
  while (box && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
  const scrollBox = box;
  if (!scrollBox || scrollBox === document.body || scrollBox === document.documentElement)
    return {
      atPx: () => window.scrollY,
      heightPx: () => window.innerHeight,
      marginPx: () => list.getBoundingClientRect().top + window.scrollY,
      to: (top) => window.scrollTo({ top, behavior: 'instant' }),
      target: window,
    };
  return {
    atPx: () => scrollBox.scrollTop,
    heightPx: () => scrollBox.clientHeight,
    marginPx: () => list.getBoundingClientRect().top - scrollBox.getBoundingClientRect().top + scrollBox.scrollTop,
    to: (top) => scrollBox.scrollTo({ top, behavior: 'instant' }),
    target: scrollBox,
  };
}

export interface VisibleRowsOptions {
  rows: readonly JustifiedRow[];
  ids: readonly string[];
  coveredPx: number;
  onTop: (isAtTop: boolean) => void;
}

/** Visible range of rows, with overscan. When rows change, the visible media keep their position on the screen. */
export function useVisibleRows({ rows, ids, coveredPx, onTop }: VisibleRowsOptions) {
  const list = useRef<HTMLUListElement & HTMLDivElement>(null);
  const scroller = useRef<Scroller>(null);
  const marginPx = useRef(0);
  const [range, setRange] = useState({ first: 0, last: -1 });
  const previousLayout = useRef({ rows, ids });

  const update = useCallback(() => {
    const { current } = scroller;
    if (!current) return;
    const topPx = current.atPx() - marginPx.current;
    const first = rowIndexAt(rows, topPx - OVERSCAN_PX);
    const last = rowIndexAt(rows, topPx + current.heightPx() + OVERSCAN_PX);
    setRange((currentRange) =>
      currentRange.first === first && currentRange.last === last ? currentRange : { first, last },
    );
    onTop(topPx + coveredPx <= NEAR_TOP_PX);
  }, [rows, coveredPx, onTop]);

  useLayoutEffect(() => {
    if (!list.current) return;
    const container = findScroller(list.current);
    scroller.current = container;
    const measure = () => {
      marginPx.current = container.marginPx();
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const { current } = scroller;
    const previous = previousLayout.current;
    previousLayout.current = { rows, ids };
    if (current && previous.rows !== rows) {
      marginPx.current = current.marginPx();
      const correctionPx = scrollCorrectionPx(previous, { rows, ids }, current.atPx() - marginPx.current + coveredPx);
      if (correctionPx !== 0) current.to(current.atPx() + correctionPx);
    }
    update();
  }, [rows, ids, coveredPx, update]);

  useEffect(() => {
    const { current } = scroller;
    if (!current) return;
    current.target.addEventListener('scroll', update, { passive: true });
    window.addEventListener('resize', update);
    return () => {
      current.target.removeEventListener('scroll', update);
      window.removeEventListener('resize', update);
    };
  }, [update]);

  const reveal = useCallback(
    (row: JustifiedRow) => {
      const { current } = scroller;
      if (!current) return;
      const topPx = marginPx.current + row.topPx;
      const atPx = current.atPx();
      const roomPx = current.heightPx();
      if (topPx < atPx + coveredPx + EDGE_PX) current.to(topPx - coveredPx - EDGE_PX);
      else if (topPx + row.heightPx > atPx + roomPx - EDGE_PX) current.to(topPx + row.heightPx - roomPx + EDGE_PX);
    },
    [coveredPx],
  );
  return { ref: list as RefObject<(HTMLUListElement & HTMLDivElement) | null>, ...range, reveal };
}

function rowIndexAt(rows: readonly JustifiedRow[], atPx: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rows[middle]?.topPx ?? 0) <= atPx) low = middle;
    else high = middle - 1;
  }
  return low;
}

interface RowsLayout {
  rows: readonly JustifiedRow[];
  ids: readonly string[];
}

/** Keeps the first visible medium in place; 0 at the start of the list, where new media should show. */
function scrollCorrectionPx(old: RowsLayout, next: RowsLayout, topPx: number): number {
  if (topPx <= 0) return 0;
  const row = old.rows[rowIndexAt(old.rows, topPx)];
  if (!row) return 0;
  // The first medium of the row may have been removed.
  for (let index = row.first; index < row.first + row.count; index += 1) {
    const id = old.ids[index];
    const nextIndex = id === undefined ? -1 : next.ids.indexOf(id);
    const to = next.rows[findRowIndex(next.rows, nextIndex)];
    if (to) return to.topPx - row.topPx;
  }
  return 0;
}
