import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { GRID_KEYS, offsetInRowPx, nextGridIndex, findRowIndex, renderedRows } from './grid-navigation.ts';
import { GridSkeleton } from './grid-skeleton.tsx';
import type { JustifiedRow } from './justified-rows.ts';
import type { PreviewableMedia } from './media-thumbnail.tsx';
import { GRID_GAP_PX, useJustifiedRows } from './use-justified-rows.ts';
import type { MediaCursor } from './use-media-cursor.ts';
import { useVisibleRows } from './use-visible-rows.ts';
import { useElementSize, useRootFontSize } from '#web/ui/hooks/use-element-size.ts';
import { LoadMoreSkeleton } from '#web/ui/display/skeleton.tsx';

export interface TileBox {
  leftPx: number;
  topPx: number;
  widthPx: number;
  heightPx: number;
}

export interface MediaGridProps<M extends PreviewableMedia> {
  label: string;
  media: readonly M[];
  hasMore: boolean;
  onNearEnd: () => void;
  /** Height of the sticky elements at the top of the scroll container. */
  coveredPx: number;
  cursor: MediaCursor;
  onSpace?: (medium: M) => void;
  onExtend?: ((medium: M) => void) | undefined;
  /** Renders a memoized `<li data-row-id>` with a focusable element `data-tile`. */
  renderTile: (medium: M, box: TileBox, tabbable: boolean) => ReactNode;
}

const NEAR_END_ROWS = 6;

export function MediaGrid<M extends PreviewableMedia>(props: MediaGridProps<M>) {
  const { ref, widthPx } = useElementSize();
  const remPx = useRootFontSize();
  return (
    // Scroll anchoring of the browser would interfere with `useVisibleRows`.
    <div ref={ref} className="[overflow-anchor:none]">
      {widthPx > 0 ? <VirtualRows {...props} widthPx={widthPx} remPx={remPx} /> : null}
      {props.hasMore ? (
        <LoadMoreSkeleton>
          <GridSkeleton rows={1} className="mt-1.5" />
        </LoadMoreSkeleton>
      ) : null}
    </div>
  );
}

function VirtualRows<M extends PreviewableMedia>(props: MediaGridProps<M> & { widthPx: number; remPx: number }) {
  const { label, media, hasMore, onNearEnd, coveredPx, cursor, onSpace, onExtend, renderTile, widthPx, remPx } = props;
  const ids = useMemo(() => media.map(({ id }) => id), [media]);
  const [isAtTop, setIsAtTop] = useState(true);
  const rows = useJustifiedRows({ media, ids, widthPx, remPx, more: hasMore, isAtTop });
  const { ref, first, last, reveal } = useVisibleRows({ rows, ids, coveredPx, onTop: setIsAtTop });
  const bottom = rows.at(-1);

  const isNearEnd = last >= rows.length - NEAR_END_ROWS;
  useEffect(() => {
    if (isNearEnd && media.length > 0) onNearEnd();
  }, [isNearEnd, media.length, onNearEnd]);

  const { target } = cursor;
  useLayoutEffect(() => {
    const row = target && rows[findRowIndex(rows, ids.indexOf(target.id))];
    if (row) reveal(row);
    // oxlint-disable-next-line react/exhaustive-deps -- rows that come or go must not scroll back to the cursor
  }, [target]);
  useEffect(() => {
    if (!target) return;
    const tile = document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(target.id)}"] [data-tile]`);
    tile?.focus({ preventScroll: true });
  }, [target]);

  const onKeyDown = (event: KeyboardEvent) => {
    const mod = event.ctrlKey || event.metaKey ? 'mod+' : '';
    const direction = GRID_KEYS[mod + event.key];
    const item = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row-id]') : null;
    if (!item || event.altKey || !(event.target as Element).matches('[data-tile]')) return;
    const from = ids.indexOf(item.dataset['rowId'] ?? '');
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

  const cursorIndex = cursor.cursorId === undefined ? -1 : ids.indexOf(cursor.cursorId);
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
      style={{ height: bottom ? bottom.topPx + bottom.heightPx : 0 }}
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
  leftPx: offsetInRowPx(row, index, GRID_GAP_PX),
  topPx: row.topPx,
  widthPx: row.widthsPx[index - row.first] ?? 0,
  heightPx: row.heightPx,
});
