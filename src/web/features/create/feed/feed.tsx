import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import {
  findRowIndex,
  GRID_KEYS,
  nextGridIndex,
  offsetInRowPx,
  renderedRows,
} from '#web/media/library/grid-navigation.ts';
import type { MediaCursor } from '#web/media/library/use-media-cursor.ts';
import { useVisibleRows } from '#web/media/library/use-visible-rows.ts';
import { LoadMoreSkeleton, Skeleton } from '#web/ui/display/skeleton.tsx';
import { useElementSize, useRootFontSize } from '#web/ui/hooks/use-element-size.ts';
import type { FeedEntry } from './feed-entries.ts';
import { FEED_GAP_PX, layOutFeed } from './feed-layout.ts';
import { FeedTile } from './feed-tile.tsx';

interface FeedProps {
  entries: readonly FeedEntry[];
  openIds: readonly string[];
  cursor: MediaCursor;
  hasMore: boolean;
  onNearEnd: () => void;
  onOpen: (entry: FeedEntry) => void;
}

const NEAR_END_ROWS = 6;
/** The bar at the top of a phone, with some room. */
const COVERED_PX = 64;

/** A virtual list of results by day. Arrow keys move between tiles. */
export function Feed(props: FeedProps) {
  const { ref, widthPx } = useElementSize();
  return (
    <section aria-label="Your work">
      {/* Scroll anchoring of the browser would interfere with `useVisibleRows`. */}
      <div ref={ref} className="[overflow-anchor:none]">
        {widthPx > 0 ? <FeedRows {...props} widthPx={widthPx} /> : null}
        {props.hasMore ? (
          <LoadMoreSkeleton>
            <div className="mt-3 grid grid-cols-3 gap-3">
              <Skeleton className="aspect-square rounded-md" />
              <Skeleton className="aspect-square rounded-md" />
              <Skeleton className="aspect-square rounded-md" />
            </div>
          </LoadMoreSkeleton>
        ) : null}
      </div>
    </section>
  );
}

function FeedRows({ entries, openIds, cursor, onNearEnd, onOpen, widthPx }: FeedProps & { widthPx: number }) {
  const remPx = useRootFontSize();
  const [, setIsAtTop] = useState(true);
  const ids = useMemo(() => entries.map(({ id }) => id), [entries]);
  const rows = useMemo(() => layOutFeed(entries, { widthPx, remPx, nowMs: Date.now() }), [entries, widthPx, remPx]);
  const { ref, first, last, reveal } = useVisibleRows({ rows, ids, coveredPx: COVERED_PX, onTop: setIsAtTop });

  const isNearEnd = last >= rows.length - NEAR_END_ROWS;
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  }, [isNearEnd, entries.length, onNearEnd]);

  const { target } = cursor;
  useLayoutEffect(() => {
    const row = target && rows[findRowIndex(rows, ids.indexOf(target.id))];
    if (row) reveal(row);
    // oxlint-disable-next-line react/exhaustive-deps -- rows that come or go must not scroll back to the cursor
  }, [target]);
  useEffect(() => {
    if (!target) return;
    const tile = document.querySelector<HTMLElement>(`[data-feed="${CSS.escape(target.id)}"] [data-tile]`);
    tile?.focus({ preventScroll: true });
  }, [target]);

  const onKeyDown = (event: KeyboardEvent) => {
    const direction = GRID_KEYS[(event.ctrlKey || event.metaKey ? 'mod+' : '') + event.key];
    const tile = event.target instanceof Element && event.target.matches('[data-tile]') ? event.target : null;
    if (!tile || !direction || event.altKey || event.shiftKey) return;
    event.preventDefault();
    const from = ids.indexOf(tile.closest<HTMLElement>('[data-feed]')?.dataset['feed'] ?? '');
    cursor.moveTo(ids[nextGridIndex(rows, from, direction, FEED_GAP_PX)]);
  };

  const cursorIndex = cursor.cursorId === undefined ? -1 : ids.indexOf(cursor.cursorId);
  const cursorRow = findRowIndex(rows, cursorIndex);
  const tabbable = cursorRow === -1 ? (rows[first]?.first ?? 0) : cursorIndex;
  const bottom = rows.at(-1);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys move the focus between tiles
    <div
      ref={ref}
      onKeyDown={onKeyDown}
      className="relative"
      style={{ height: bottom ? bottom.topPx + bottom.heightPx : 0 }}
    >
      {renderedRows(rows.length, first, last, cursorRow).map((rowIndex) => {
        const row = rows[rowIndex];
        if (!row) return null;
        const day = row.heading;
        return (
          <div key={ids[row.first]} className="absolute inset-x-0" style={{ top: row.topPx, height: row.heightPx }}>
            {day === null ? null : (
              <h2
                style={{ height: row.headingPx }}
                className="flex items-end pb-2.5 text-sm leading-none font-semibold text-ink-2"
              >
                {day}
              </h2>
            )}
            <ul className="absolute inset-x-0" style={{ top: row.headingPx }}>
              {entries.slice(row.first, row.first + row.count).map((entry, at) => (
                <FeedTile
                  key={entry.id}
                  entry={entry}
                  leftPx={offsetInRowPx(row, row.first + at, FEED_GAP_PX)}
                  sizePx={row.tilePx}
                  tabbable={row.first + at === tabbable}
                  isOpen={entry.items.some(({ id }) => openIds.includes(id))}
                  onFocus={cursor.onFocus}
                  onOpen={onOpen}
                />
              ))}
            </ul>
          </div>
        );
      })}
    </div>
  );
}
