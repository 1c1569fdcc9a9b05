import type { JustifiedRow } from '#web/media/library/justified-rows.ts';
import { formatDay } from '#web/ui/days.ts';
import type { FeedEntry } from './feed-entries.ts';

export const FEED_GAP_PX = 12;
const TILE_REM = { min: 9.5, text: 3.25 };
const HEADING_REM = 2.5;
const DAY_GAP_REM = 1;

/** A line of tiles; the first of a day has room for its heading above. */
export interface FeedRow extends JustifiedRow {
  heading: string | null;
  heading_px: number;
  tile_px: number;
}

/** Places entries in rows of equal tiles, each day from a new row. @param now_ms decides what is today */
export function layOutFeed(
  entries: readonly Pick<FeedEntry, 'created_at_ms'>[],
  { width_px, rem_px, now_ms }: { width_px: number; rem_px: number; now_ms: number },
): FeedRow[] {
  const columns = Math.max(2, Math.floor((width_px + FEED_GAP_PX) / (TILE_REM.min * rem_px + FEED_GAP_PX)));
  const tile_px = Math.floor((width_px - FEED_GAP_PX * (columns - 1)) / columns);
  const rows: FeedRow[] = [];
  let top_px = 0;
  let day: string | null = null;
  for (let first = 0; first < entries.length;) {
    const next = dayOf(entries[first], now_ms);
    const heading = next === day ? null : next;
    const heading_px = heading === null ? 0 : (HEADING_REM + (day === null ? 0 : DAY_GAP_REM)) * rem_px;
    day = next;
    let count = 1;
    while (count < columns && first + count < entries.length && dayOf(entries[first + count], now_ms) === day)
      count += 1;
    const height_px = heading_px + tile_px + TILE_REM.text * rem_px;
    rows.push({ first, count, top_px, height_px, widths_px: Array(count).fill(tile_px), heading, heading_px, tile_px });
    top_px += height_px + FEED_GAP_PX;
    first += count;
  }
  return rows;
}

const dayOf = (entry: Pick<FeedEntry, 'created_at_ms'> | undefined, now_ms: number): string =>
  formatDay(entry?.created_at_ms ?? now_ms, now_ms);
