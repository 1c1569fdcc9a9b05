import { useRouter } from '@tanstack/react-router';
import { Images } from 'lucide-react';
import { type MouseEvent, useCallback, useMemo, memo, useState } from 'react';
import type { Batch } from '#contract/resources/batch.ts';
import type { Asset } from '#contract/resources/generation.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { isBatchActive, useOrderList } from '#web/api/queries/batches.ts';
import { GridSkeleton } from '#web/media/library/grid-skeleton.tsx';
import { MediaGrid, type TileBox } from '#web/media/library/media-grid.tsx';
import { useMediaCursor } from '#web/media/library/use-media-cursor.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { summarizeOrder } from './order-table.tsx';
import { MEDIA_TYPE_LABELS } from '#web/media/library/media-labels.ts';
import { MediaThumbnail } from '#web/media/library/media-thumbnail.tsx';
import { boxStyle, HoverPreview, tileClass, tileCoverClass, TileInfo } from '#web/media/library/tile-overlays.tsx';

interface Result extends Asset {
  href: string;
  title: string;
  position: number;
}

interface ResultGridProps {
  batch: Batch;
  onShowTable: () => void;
}

/** The files of orders that succeeded, in the order of the request. */
export function ResultGrid({ batch, onShowTable }: ResultGridProps) {
  const list = useOrderList(batch.id, 'succeeded', isBatchActive(batch));
  const names = useCatalogNames();
  const router = useRouter();
  const cursor = useMediaCursor();
  const { onFocus } = cursor;
  const results = useMemo(
    () =>
      list.rows.flatMap((order): Result[] => {
        const { generation, index } = order;
        if (!generation) return [];
        const title = summarizeOrder(order, names);
        return generation.output.assets
          .filter(({ removed_at }) => !removed_at)
          .map((asset) => ({ ...asset, href: `/generations/${generation.id}`, title, position: index + 1 }));
      }),
    [list.rows, names],
  );
  const open = useCallback(
    (event: MouseEvent, href: string) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      void router.navigate({ href });
    },
    [router],
  );
  const renderTile = useCallback(
    ({ href, title, position, ...asset }: Result, box: TileBox, tabbable: boolean) => (
      <ResultTile
        key={asset.id}
        asset={asset}
        href={href}
        title={title}
        position={position}
        tabbable={tabbable}
        onOpen={open}
        onFocus={onFocus}
        {...box}
      />
    ),
    [open, onFocus],
  );
  return (
    <ListStates
      list={results.length === 0 && list.rows.length > 0 && !list.hasMore ? { ...list, rows: [] } : list}
      what="The results"
      older="Further results"
      loading={
        <Loading label="Loading results">
          <GridSkeleton rows={3} />
        </Loading>
      }
      empty={<NoResults batch={batch} onShowTable={onShowTable} />}
    >
      <MediaGrid
        label="Results"
        media={results}
        hasMore={list.hasMore}
        onNearEnd={list.onNearEnd}
        coveredPx={0}
        cursor={cursor}
        renderTile={renderTile}
      />
    </ListStates>
  );
}

function NoResults({ batch, onShowTable }: ResultGridProps) {
  const isComing = isBatchActive(batch);
  return (
    <EmptyState
      icon={<Images aria-hidden="true" />}
      title={isComing ? 'Results appear here' : 'No results'}
      actions={<Button onClick={onShowTable}>Show the orders</Button>}
    >
      {isComing
        ? 'The first ones are on their way. You can leave this page: the batch continues.'
        : 'No order of this batch has files. The table says why.'}
    </EmptyState>
  );
}

interface ResultTileProps extends TileBox {
  asset: Asset;
  href: string;
  title: string;
  /** Number of the order, from 1. */
  position: number;
  tabbable: boolean;
  onOpen: (event: MouseEvent, href: string) => void;
  onFocus: (id: string) => void;
}

const ResultTile = memo(function ResultTile(props: ResultTileProps) {
  const { asset, href, title, position, tabbable, onOpen, onFocus, leftPx, topPx, widthPx, heightPx } = props;
  const [active, setActive] = useState(false);
  return (
    <li
      data-row-id={asset.id}
      className={tileClass}
      style={boxStyle({ leftPx, topPx, widthPx, heightPx })}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setActive(true)}
      onPointerLeave={() => setActive(false)}
    >
      <MediaThumbnail medium={asset} widthPx={widthPx} />
      {active ? <HoverPreview medium={asset} /> : null}
      <TileInfo medium={asset} title={title} />
      <a
        href={href}
        data-tile=""
        tabIndex={tabbable ? 0 : -1}
        aria-label={`${MEDIA_TYPE_LABELS[asset.type]} of order ${position}: ${title.slice(0, 160)}`}
        draggable={false}
        onClick={(event) => onOpen(event, href)}
        onFocus={({ currentTarget }) => {
          onFocus(asset.id);
          if (currentTarget.matches(':focus-visible')) setActive(true);
        }}
        onBlur={() => setActive(false)}
        className={tileCoverClass}
      />
      {active && asset.type !== 'audio' ? (
        <span className="pointer-events-none absolute inset-x-0 bottom-0 bg-linear-to-t from-black/75 to-transparent px-2 pt-5 pb-1.5 text-xs text-white">
          <span className="block truncate pr-10">
            {position}. {title}
          </span>
        </span>
      ) : null}
    </li>
  );
});
