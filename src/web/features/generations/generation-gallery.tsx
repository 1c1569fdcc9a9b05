import { Link } from '@tanstack/react-router';
import { memo, use, useMemo, useState } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import type { TilesProps } from '#web/collections/collection-view.tsx';
import { RowCreator } from '#web/collections/creator.tsx';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { GenerationCost } from '#web/forms/money/generation-cost.tsx';
import { workTitle } from '#web/forms/inputs/describe-input.ts';
import { type SelectProps, selectOnClick, SelectTick } from './bulk/select-tick.tsx';
import { GenerationRowsContext } from './generation-collection.tsx';
import { RowAction } from './row-action.tsx';
import { MediaThumbnail } from '#web/media/library/media-thumbnail.tsx';
import { GenerationThumbnail } from '#web/media/outputs/generation-thumbnail.tsx';
import type { GenerationActions } from './use-generation-actions.ts';
import { useElementSize, useRootFontSize } from '#web/ui/hooks/use-element-size.ts';
import { useVirtualList } from '#web/ui/hooks/use-virtual-list.ts';
import { cx } from '#web/ui/cx.ts';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { LoadMoreSkeleton, Skeleton } from '#web/ui/display/skeleton.tsx';
import { StatusBadge } from '#web/ui/display/status-badge.tsx';

const TILE_REM = { min: 9.5, minWide: 13, wideFrom: 48, gap: 0.75, text: 3.75 };

function galleryLayout(widthPx: number, remPx: number): { columns: number; tilePx: number; rowHeightPx: number } {
  const gapPx = TILE_REM.gap * remPx;
  const minPx = (widthPx >= TILE_REM.wideFrom * remPx ? TILE_REM.minWide : TILE_REM.min) * remPx;
  const columns = Math.max(1, Math.floor((widthPx + gapPx) / (minPx + gapPx)));
  const tilePx = (widthPx - gapPx * (columns - 1)) / columns;
  return { columns, tilePx, rowHeightPx: tilePx + (TILE_REM.text + TILE_REM.gap) * remPx };
}

export function GenerationGallery(props: TilesProps<Generation>) {
  const { list, ids } = props;
  const { ref, widthPx } = useElementSize();
  const { columns, ...sizes } = galleryLayout(widthPx || 960, useRootFontSize());
  const lines = useMemo(() => ids.filter((_, index) => index % columns === 0), [ids, columns]);
  return (
    <div ref={ref}>
      <GalleryRows {...props} lines={lines} columns={columns} {...sizes} />
      {list.hasMore ? (
        <LoadMoreSkeleton>
          <GenerationGallerySkeleton tiles={columns} />
        </LoadMoreSkeleton>
      ) : null}
    </div>
  );
}

interface GalleryRowsProps extends TilesProps<Generation> {
  lines: readonly string[];
  columns: number;
  tilePx: number;
  rowHeightPx: number;
}

function GalleryRows({ list, lines, columns, tilePx, rowHeightPx, cursor, coveredPx }: GalleryRowsProps) {
  const { reveal } = cursor;
  const shown = use(GenerationRowsContext);
  const revealLine = useMemo(() => reveal && { index: Math.floor(reveal.index / columns) }, [reveal, columns]);
  const { ref, heightPx, rows } = useVirtualList({
    keys: lines,
    rowHeightPx,
    coveredPx,
    keptIndex: cursor.cursor < 0 ? -1 : Math.floor(cursor.cursor / columns),
    onNearEnd: list.onNearEnd,
    reveal: revealLine,
  });
  if (!shown) return null;
  const { openId, selectedIds, ...rest } = shown;
  return (
    <div ref={ref} className="relative" style={{ height: heightPx }}>
      {rows.map(({ index, key, topPx }) => (
        <ul
          key={key}
          aria-label={`Generations, line ${index + 1}`}
          className="absolute inset-x-0 top-0 grid gap-3"
          style={{ transform: `translateY(${topPx}px)`, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
        >
          {list.rows.slice(index * columns, (index + 1) * columns).map((generation) => (
            <GenerationTile
              key={generation.id}
              {...rest}
              generation={generation}
              sizePx={tilePx}
              isOpen={generation.id === openId}
              onFocus={cursor.onFocus}
              isSelected={selectedIds.has(generation.id)}
            />
          ))}
        </ul>
      ))}
    </div>
  );
}

interface GenerationTileProps extends SelectProps {
  generation: Generation;
  sizePx: number;
  isOpen: boolean;
  actions: GenerationActions;
  onFocus: (id: string) => void;
}

const GenerationTile = memo(function GenerationTile({
  generation,
  sizePx,
  isOpen,
  actions,
  onFocus,
  ...selecting
}: GenerationTileProps) {
  const names = useCatalogNames();
  // Actions are rendered once they can be used: a fast scroll mounts hundreds of tiles.
  const [hasActions, setHasActions] = useState(false);
  const showActions = () => setHasActions(true);
  const { id, status, progress, usage, created_at, created_by, output } = generation;
  const asset = output.assets.find(({ removed_at }) => !removed_at);
  const text = workTitle(generation, names);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only renders what the tile contains
    <li data-row-id={id} className="group/row relative" onPointerEnter={showActions} onFocus={showActions}>
      <span
        className={cx(
          'relative block aspect-square w-full overflow-hidden rounded-md border border-line bg-hover',
          selecting.isSelected && 'inset-ring-2 inset-ring-amber outline-2 -outline-offset-1 outline-amber',
          isOpen && 'outline-2 outline-offset-2 outline-amber',
        )}
      >
        {asset ? (
          <MediaThumbnail medium={asset} widthPx={sizePx} cover />
        ) : (
          <GenerationThumbnail generation={generation} className="size-full" />
        )}
      </span>
      <Link
        to="/generations/$id"
        params={{ id }}
        search={(search) => search}
        resetScroll={false}
        replace={isOpen}
        data-row=""
        dir="auto"
        aria-current={isOpen || undefined}
        onFocus={() => onFocus(id)}
        onClick={selectOnClick(selecting, generation)}
        className="mt-2 block truncate text-sm font-medium outline-none after:absolute after:inset-0 after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-focus"
      >
        {text}
      </Link>
      <div className="flex items-center justify-between gap-2 text-xs text-ink-3">
        <span className="flex min-w-0 items-center gap-1.5">
          <RowCreator created_by={created_by} isCompact className="relative z-1" />
          <RelativeTime at={created_at} className="truncate" />
        </span>
        <GenerationCost usage={usage} />
      </div>
      <SelectTick {...selecting} generation={generation} title={text} />
      {status === 'succeeded' ? null : (
        <span className="pointer-events-none absolute bottom-17 left-2 rounded-sm bg-canvas">
          <StatusBadge status={status} progress={progress} />
        </span>
      )}
      <span className="absolute top-1.5 right-1.5 z-1 rounded-md bg-canvas opacity-0 transition-opacity group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:hidden">
        {hasActions ? <RowAction generation={generation} actions={actions} /> : null}
      </span>
    </li>
  );
});

export function GenerationGallerySkeleton({ tiles }: { tiles: number }) {
  return (
    <div
      aria-hidden="true"
      className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3 @3xl:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))]"
    >
      {Array.from({ length: tiles }, (_, tile) => (
        <span key={tile} className="block">
          <Skeleton className="aspect-square w-full rounded-md" />
          <Skeleton className="mt-2.5 h-3.5 w-4/5" />
          <Skeleton className="mt-2 h-3 w-2/5" />
        </span>
      ))}
    </div>
  );
}
