import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { JustifiedRow } from './justified-rows.ts';
import { findRowIndex } from './grid-navigation.ts';

/** How far beyond the window rows exist already. */
const OVERSCAN_PX = 900;
const NEAR_TOP_PX = 8;
const EDGE_PX = 8;

/** What a list scrolls in: the page, or a part of it that scrolls by itself. */
interface Scroller {
  at_px: () => number;
  height_px: () => number;
  /** Where the list begins in it. */
  margin_px: () => number;
  to: (at_px: number) => void;
  target: EventTarget;
}

function findScroller(list: HTMLElement): Scroller {
  let box = list.parentElement;
  while (box && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
  const found = box;
  if (!found || found === document.body || found === document.documentElement)
    return {
      at_px: () => window.scrollY,
      height_px: () => window.innerHeight,
      margin_px: () => list.getBoundingClientRect().top + window.scrollY,
      to: (top) => window.scrollTo({ top, behavior: 'instant' }),
      target: window,
    };
  return {
    at_px: () => found.scrollTop,
    height_px: () => found.clientHeight,
    margin_px: () => list.getBoundingClientRect().top - found.getBoundingClientRect().top + found.scrollTop,
    to: (top) => found.scrollTo({ top, behavior: 'instant' }),
    target: found,
  };
}

export interface VisibleRowsOptions {
  rows: readonly JustifiedRow[];
  /** Ids of the media, in order. */
  ids: readonly string[];
  /** Height of what sticks to the top and hides rows. */
  covered_px: number;
  /** Hears whether the list stands at its beginning. */
  onTop: (is_at_top: boolean) => void;
}

/**
 * Which rows are in sight or nearly so. Where the rows change, by a new width or by media that come and go, what is
 * looked at stays where it is.
 */
export function useVisibleRows({ rows, ids, covered_px, onTop }: VisibleRowsOptions) {
  const list = useRef<HTMLUListElement>(null);
  const scroller = useRef<Scroller>(null);
  const margin_px = useRef(0);
  const [sight, setSight] = useState({ first: 0, last: -1 });
  const before = useRef({ rows, ids });

  const look = useCallback(() => {
    const { current } = scroller;
    if (!current) return;
    const top_px = current.at_px() - margin_px.current;
    const first = rowIndexAt(rows, top_px - OVERSCAN_PX);
    const last = rowIndexAt(rows, top_px + current.height_px() + OVERSCAN_PX);
    setSight((known) => (known.first === first && known.last === last ? known : { first, last }));
    onTop(top_px + covered_px <= NEAR_TOP_PX);
  }, [rows, covered_px, onTop]);

  useLayoutEffect(() => {
    if (!list.current) return;
    const own = findScroller(list.current);
    scroller.current = own;
    const measure = () => {
      margin_px.current = own.margin_px();
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const { current } = scroller;
    const old = before.current;
    before.current = { rows, ids };
    if (current && old.rows !== rows) {
      margin_px.current = current.margin_px();
      const held = scrollCorrection_px(old, { rows, ids }, current.at_px() - margin_px.current + covered_px);
      if (held !== 0) current.to(current.at_px() + held);
    }
    look();
  }, [rows, ids, covered_px, look]);

  useEffect(() => {
    const { current } = scroller;
    if (!current) return;
    current.target.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      current.target.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [look]);

  /** Brings a row into sight, as little as need be. */
  const reveal = useCallback(
    (row: JustifiedRow) => {
      const { current } = scroller;
      if (!current) return;
      const top_px = margin_px.current + row.top_px;
      const at_px = current.at_px();
      const room_px = current.height_px();
      if (top_px < at_px + covered_px + EDGE_PX) current.to(top_px - covered_px - EDGE_PX);
      else if (top_px + row.height_px > at_px + room_px - EDGE_PX)
        current.to(top_px + row.height_px - room_px + EDGE_PX);
    },
    [covered_px],
  );
  return { ref: list as RefObject<HTMLUListElement | null>, ...sight, reveal };
}

/** The last row that begins above a place; 0 where none does. */
function rowIndexAt(rows: readonly JustifiedRow[], at_px: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rows[middle]?.top_px ?? 0) <= at_px) low = middle;
    else high = middle - 1;
  }
  return low;
}

interface RowsLayout {
  rows: readonly JustifiedRow[];
  ids: readonly string[];
}

/** How far to scroll so that the first medium in sight stays where it is; 0 at the beginning, where new ones are to be seen. */
function scrollCorrection_px(old: RowsLayout, next: RowsLayout, top_px: number): number {
  if (top_px <= 0) return 0;
  const row = old.rows[rowIndexAt(old.rows, top_px)];
  if (!row) return 0;
  // The first of its row may be the one that is gone.
  for (let index = row.first; index < row.first + row.count; index += 1) {
    const id = old.ids[index];
    const now = id === undefined ? -1 : next.ids.indexOf(id);
    const to = next.rows[findRowIndex(next.rows, now)];
    if (to) return to.top_px - row.top_px;
  }
  return 0;
}
