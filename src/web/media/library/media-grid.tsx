import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { GRID_KEYS, offsetInRow_px, nextGridIndex, findRowIndex, renderedRows } from './grid-navigation.ts';
import { GridSkeleton } from './grid-skeleton.tsx';
import type { JustifiedRow } from './justified-rows.ts';
import type { PreviewableMedia } from './media-thumbnail.tsx';
import { GRID_GAP_PX, useJustifiedRows } from './use-justified-rows.ts';
import type { MediaCursor } from './use-media-cursor.ts';
import { useVisibleRows } from './use-visible-rows.ts';
import { useElementSize, useRootFontSize } from '#web/ui/use-element-size.ts';
import { LoadMoreSkeleton } from '#web/ui/skeleton.tsx';

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
  /** Height of the sticky elements at the top of the scroll container. */
  covered_px: number;
  cursor: MediaCursor;
  onSpace?: (medium: M) => void;
  onExtend?: ((medium: M) => void) | undefined;
  /** Renders a memoized `<li data-medium>` with a focusable element `data-tile`. */
  renderTile: (medium: M, box: TileBox, tabbable: boolean) => ReactNode;
}

const NEAR_END_ROWS = 6;

export function MediaGrid<M extends PreviewableMedia>(props: MediaGridProps<M>) {
  const { ref, width_px } = useElementSize();
  const rem_px = useRootFontSize();
  return (
    // Scroll anchoring of the browser would interfere with `useVisibleRows`.
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

  const is_near_end = last >= rows.length - NEAR_END_ROWS;
  useEffect(() => {
    if (is_near_end && media.length > 0) onNearEnd();
  }, [is_near_end, media.length, onNearEnd]);

  const { target } = cursor;
  useLayoutEffect(() => {
    const row = target && rows[findRowIndex(rows, ids.indexOf(target.id))];
    if (row) reveal(row);
    // oxlint-disable-next-line react/exhaustive-deps -- rows that come or go must not scroll back to the cursor
  }, [target]);
  useEffect(() => {
    if (!target) return;
    const tile = document.querySelector<HTMLElement>(`[data-medium="${CSS.escape(target.id)}"] [data-tile]`);
    tile?.focus({ preventScroll: true });
  }, [target]);

  const onKeyDown = (event: KeyboardEvent) => {
    const mod = event.ctrlKey || event.metaKey ? 'mod+' : '';
    const direction = GRID_KEYS[mod + event.key];
    const item = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-medium]') : null;
    if (!item || event.altKey || !(event.target as Element).matches('[data-tile]')) return;
    const from = ids.indexOf(item.dataset['medium'] ?? '');
    const medium = media[from];
    if (event.key === ' ' && medium && onSpace) {
      event.preventDefault();
      onSpace(medium);
    }
    if (!direction) return;
    event.preventDefault();
    const to = media[nextGridIndex(rows, from, direction, GRID_GAP_PX)];
    if (!to) return;
    cursor.moveTo(to.id);
    if (event.shiftKey) onExtend?.(to);
  };

  const cursorIndex = cursor.id === undefined ? -1 : ids.indexOf(cursor.id);
  const cursorRow = findRowIndex(rows, cursorIndex);
  const visibleRows = renderedRows(rows.length, first, last, cursorRow);
  // Tab reaches the last focused tile, else the first visible one.
  const tabbable = cursorRow === -1 ? (rows[first]?.first ?? 0) : cursorIndex;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys move the focus between tiles
    <ul
      ref={ref}
      aria-label={label}
      onKeyDown={onKeyDown}
      className="relative"
      style={{ height: bottom ? bottom.top_px + bottom.height_px : 0 }}
    >
      {visibleRows.flatMap((rowIndex) => {
        const row = rows[rowIndex];
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
