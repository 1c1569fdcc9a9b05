import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { GRID_KEYS, offsetInRow_px, nextGridIndex, findRowIndex } from './grid-navigation.ts';
import { GridSkeleton } from './grid-skeleton.tsx';
import type { JustifiedRow } from './justified-rows.ts';
import type { PreviewableMedia } from './media-thumbnail.tsx';
import { GRID_GAP_PX, useJustifiedRows } from './use-justified-rows.ts';
import type { MediaCursor } from './use-media-cursor.ts';
import { useVisibleRows } from './use-visible-rows.ts';
import { useElementSize } from '#web/ui/use-element-size.ts';
import { useRootFontSize } from '#web/ui/use-root-font-size.ts';
import { LoadMoreSkeleton } from '#web/ui/skeleton.tsx';

/** Where a tile stands in the list, in CSS pixels. */
export interface TileBox {
  left_px: number;
  top_px: number;
  width_px: number;
  height_px: number;
}

export interface MediaGridProps<M extends PreviewableMedia> {
  label: string;
  media: readonly M[];
  hasMore: boolean;
  onNearEnd: () => void;
  /** Height of what sticks to the top of what scrolls. */
  covered_px: number;
  cursor: MediaCursor;
  /** Space was pressed on a medium; for buttons it is a press anyway. */
  onSpace?: (medium: M) => void;
  /** The keyboard went to another medium with Shift held. */
  onExtend?: ((medium: M) => void) | undefined;
  /** An `<li>` placed at its box with `data-medium`, in it something to focus with `data-tile`. Memoize it. */
  renderTile: (medium: M, box: TileBox, tabbable: boolean) => ReactNode;
}

/** Further rows are asked for when so many are left below those in sight. */
const NEAR_END_ROWS = 6;

/** Media in rows that fill the width; only rows in sight exist. The arrow keys move in two dimensions. */
export function MediaGrid<M extends PreviewableMedia>(props: MediaGridProps<M>) {
  const { ref, width_px } = useElementSize();
  const rem_px = useRootFontSize();
  return (
    // What is looked at is held in place by the rows; the browser would hold what stands below them.
    <div ref={ref} className="[overflow-anchor:none]">
      {width_px > 0 ? <VirtualRows {...props} width_px={width_px} rem_px={rem_px} /> : null}
      {props.hasMore ? (
        <LoadMoreSkeleton>
          <GridSkeleton rows={1} className="mt-1.5" />
        </LoadMoreSkeleton>
      ) : null}
    </div>
  );
}

function VirtualRows<M extends PreviewableMedia>(props: MediaGridProps<M> & { width_px: number; rem_px: number }) {
  const { label, media, hasMore, onNearEnd, covered_px, cursor, onSpace, onExtend, renderTile, width_px, rem_px } =
    props;
  const ids = useMemo(() => media.map(({ id }) => id), [media]);
  const [is_at_top, setIsAtTop] = useState(true);
  const rows = useJustifiedRows({ media, ids, width_px, rem_px, more: hasMore, is_at_top });
  const { ref, first, last, reveal } = useVisibleRows({ rows, ids, covered_px, onTop: setIsAtTop });
  const bottom = rows.at(-1);

  const near = last >= rows.length - NEAR_END_ROWS;
  useEffect(() => {
    if (near && media.length > 0) onNearEnd();
  }, [near, media.length, onNearEnd]);

  const { target } = cursor;
  useLayoutEffect(() => {
    const row = target && rows[findRowIndex(rows, ids.indexOf(target.id))];
    if (row) reveal(row);
    // Rows that come or go must not pull the view back to where the keyboard was.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [target]);
  useEffect(() => {
    if (!target) return;
    const tile = document.querySelector<HTMLElement>(`[data-medium="${CSS.escape(target.id)}"] [data-tile]`);
    tile?.focus({ preventScroll: true });
  }, [target]);

  const onKeyDown = (event: KeyboardEvent) => {
    const mod = event.ctrlKey || event.metaKey ? 'mod+' : '';
    const move = GRID_KEYS[mod + event.key];
    const here = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-medium]') : null;
    if (!here || event.altKey || !(event.target as Element).matches('[data-tile]')) return;
    const from = ids.indexOf(here.dataset['medium'] ?? '');
    const medium = media[from];
    if (event.key === ' ' && medium && onSpace) {
      event.preventDefault();
      onSpace(medium);
    }
    if (!move) return;
    event.preventDefault();
    const to = media[nextGridIndex(rows, from, move, GRID_GAP_PX)];
    if (!to) return;
    cursor.moveTo(to.id);
    if (event.shiftKey) onExtend?.(to);
  };

  const cursorIndex = cursor.id === undefined ? -1 : ids.indexOf(cursor.id);
  const kept = findRowIndex(rows, cursorIndex);
  const shown = renderedRows(rows.length, first, last, kept);
  // What Tab comes to first: where the keyboard was, else the first in sight.
  const tabbable = kept === -1 ? (rows[first]?.first ?? 0) : cursorIndex;
  return (
    // The arrow keys move the focus from tile to tile; each is a link or button of its own.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul
      ref={ref}
      aria-label={label}
      onKeyDown={onKeyDown}
      className="relative"
      style={{ height: bottom ? bottom.top_px + bottom.height_px : 0 }}
    >
      {shown.flatMap((at) => {
        const row = rows[at];
        return row
          ? media
              .slice(row.first, row.first + row.count)
              .map((medium, index) =>
                renderTile(medium, tileBox(row, row.first + index), row.first + index === tabbable),
              )
          : [];
      })}
    </ul>
  );
}

const tileBox = (row: JustifiedRow, index: number): TileBox => ({
  left_px: offsetInRow_px(row, index, GRID_GAP_PX),
  top_px: row.top_px,
  width_px: row.widths_px[index - row.first] ?? 0,
  height_px: row.height_px,
});

/** Those in sight, and the one that the keyboard is in, wherever it is. */
function renderedRows(count: number, first: number, last: number, kept: number): number[] {
  const shown = Array.from({ length: Math.max(0, Math.min(count - 1, last) - first + 1) }, (_, at) => first + at);
  if (kept === -1 || (kept >= first && kept <= last)) return shown;
  return kept < first ? [kept, ...shown] : [...shown, kept];
}
