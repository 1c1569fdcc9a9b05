import type { JustifiedRow } from '#web/media/library/justified-rows.ts';
import { formatDay } from '#web/ui/controls/days.ts';
import type { FeedEntry } from './feed-entries.ts';

export const FEED_GAP_PX = 12;
const TILE_REM = { min: 9.5, text: 1.875 };
const HEADING_REM = 2.5;
const DAY_GAP_REM = 1;

/** A line of tiles; the first of a day has room for its heading above. */
export interface FeedRow extends JustifiedRow {
  heading: string | null;
  headingPx: number;
  tilePx: number;
}

/** Places entries in rows of equal tiles, each day from a new row. @param nowMs decides what is today */
export function layOutFeed(
  entries: readonly Pick<FeedEntry, 'createdAtMs'>[],
  { widthPx, remPx, nowMs }: { widthPx: number; remPx: number; nowMs: number },
): FeedRow[] {
  const columns = Math.max(2, Math.floor((widthPx + FEED_GAP_PX) / (TILE_REM.min * remPx + FEED_GAP_PX)));
  const tilePx = Math.floor((widthPx - FEED_GAP_PX * (columns - 1)) / columns);
  const rows: FeedRow[] = [];
  let topPx = 0;
  let day: string | null = null;
  for (let first = 0; first < entries.length;) {
    const next = dayOf(entries[first], nowMs);
    const heading = next === day ? null : next;
    const headingPx = heading === null ? 0 : (HEADING_REM + (day === null ? 0 : DAY_GAP_REM)) * remPx;
    day = next;
    let count = 1;
    while (count < columns && first + count < entries.length && dayOf(entries[first + count], nowMs) === day)
      count += 1;
    const heightPx = headingPx + tilePx + TILE_REM.text * remPx;
    rows.push({ first, count, topPx, heightPx, widthsPx: Array(count).fill(tilePx), heading, headingPx, tilePx });
    topPx += heightPx + FEED_GAP_PX;
    first += count;
  }
  return rows;
}

const dayOf = (entry: Pick<FeedEntry, 'createdAtMs'> | undefined, nowMs: number): string =>
  formatDay(entry?.createdAtMs ?? nowMs, nowMs);
