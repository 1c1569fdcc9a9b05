import { useRouter } from '@tanstack/react-router';
import { Download, Images, X } from 'lucide-react';
import { type MouseEvent, useCallback, useMemo, memo, useState } from 'react';
import type { Batch } from '#contract/resources/batch.ts';
import type { Asset } from '#contract/resources/generation.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { isBatchActive, useOrderList } from '#web/api/queries/batches.ts';
import { GridSkeleton } from '#web/media/library/grid-skeleton.tsx';
import { MediaGrid, type TileBox } from '#web/media/library/media-grid.tsx';
import { useMediaCursor } from '#web/media/library/use-media-cursor.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { ShareButton } from '#web/forms/shares/share-button.tsx';
import { useMediaDownload } from '#web/media/library/selection/use-media-download.ts';
import { type SelectionState, useSelection } from '#web/media/library/selection/selection.ts';
import { TileCaption, TileCheckbox, TileStar } from '#web/media/library/tile-controls.tsx';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { Button, ToolbarButton } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Loading } from '#web/ui/display/skeleton.tsx';
import { summarizeOrder } from './order-table.tsx';
import { MEDIA_TYPE_LABELS } from '#web/media/library/media-labels.ts';
import { MediaThumbnail } from '#web/media/library/media-thumbnail.tsx';
import {
  boxStyle,
  HoverPreview,
  StarBadge,
  tileClass,
  tileCoverClass,
  TileInfo,
} from '#web/media/library/tile-overlays.tsx';

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
  const canChange = useCan('work.create');
  const star = useToggleStar();
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
  const state = useSelection(results);
  const { selection, selecting, toggle, extend } = state;
  const open = useCallback(
    (event: MouseEvent, result: Result) => {
      if (event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      if (event.shiftKey) extend(result);
      else if (selecting) toggle(result);
      else void router.navigate({ href: result.href });
    },
    [router, selecting, extend, toggle],
  );
  const renderTile = useCallback(
    (result: Result, box: TileBox, tabbable: boolean) => (
      <ResultTile
        key={result.id}
        result={result}
        tabbable={tabbable}
        isSelected={selection.media.has(result.id)}
        isSelecting={selecting}
        onOpen={open}
        onToggle={toggle}
        onExtend={extend}
        onStar={canChange ? star : null}
        onFocus={onFocus}
        {...box}
      />
    ),
    [open, toggle, extend, star, canChange, selection, selecting, onFocus],
  );
  return (
    <>
      {selecting ? <ResultSelectionBar state={state} results={results} /> : null}
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
          onSpace={toggle}
          onExtend={extend}
          renderTile={renderTile}
        />
      </ListStates>
    </>
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
  result: Result;
  tabbable: boolean;
  isSelected: boolean;
  isSelecting: boolean;
  onOpen: (event: MouseEvent, result: Result) => void;
  onToggle: (result: Result) => void;
  onExtend: (result: Result) => void;
  /** null: the role may not. */
  onStar: ReturnType<typeof useToggleStar> | null;
  onFocus: (id: string) => void;
}

const ResultTile = memo(function ResultTile(props: ResultTileProps) {
  const { result, tabbable, isSelected, isSelecting, leftPx, topPx, widthPx, heightPx } = props;
  const { onOpen, onToggle, onExtend, onStar, onFocus } = props;
  const { id, type, href, title, position, favourite = false } = result;
  const [active, setActive] = useState(false);
  return (
    <li
      data-row-id={id}
      className={tileClass}
      style={boxStyle({ leftPx, topPx, widthPx, heightPx })}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setActive(true)}
      onPointerLeave={() => setActive(false)}
    >
      <MediaThumbnail medium={result} widthPx={widthPx} />
      {active ? <HoverPreview medium={result} /> : null}
      {type === 'audio' ? null : <TileCaption title={`${position}. ${title}`} creator={null} />}
      <TileInfo medium={result} title={title} />
      <a
        href={href}
        data-tile=""
        tabIndex={tabbable ? 0 : -1}
        aria-label={`${MEDIA_TYPE_LABELS[type]} of order ${position}: ${title.slice(0, 160)}${favourite ? ', starred' : ''}${isSelected ? ', selected' : ''}`}
        draggable={false}
        onClick={(event) => onOpen(event, result)}
        onFocus={({ currentTarget }) => {
          onFocus(id);
          if (currentTarget.matches(':focus-visible')) setActive(true);
        }}
        onBlur={() => setActive(false)}
        className={cx(tileCoverClass, isSelected && 'inset-ring-2 inset-ring-amber')}
      />
      {active || isSelected || isSelecting ? (
        <TileCheckbox checked={isSelected} title={title} onToggle={(range) => (range ? onExtend : onToggle)(result)} />
      ) : null}
      {active && onStar ? (
        <TileStar favourite={favourite} title={title} onToggle={() => void onStar({ id, favourite })} />
      ) : favourite ? (
        <StarBadge />
      ) : null}
    </li>
  );
});

/** What can be done with the selected results. */
function ResultSelectionBar({ state, results }: { state: SelectionState<Result>; results: readonly Result[] }) {
  const archive = useMediaDownload();
  const selected = [...state.selection.media.values()];
  return (
    <section
      aria-label="Selection"
      className="sticky top-13 z-10 flex min-h-9 flex-wrap items-center gap-x-1.5 gap-y-2 bg-canvas py-2 md:top-0 pointer-coarse:min-h-11"
    >
      <IconButton label="Clear selection" icon={<X aria-hidden="true" className="size-4" />} onClick={state.leave} />
      <output className="mr-auto text-sm font-semibold tabular-nums">
        {selected.length === 0 ? 'Select results' : `${formatNumber(selected.length)} selected`}
      </output>
      {results.length > selected.length ? (
        <Button size="sm" variant="ghost" onClick={state.all}>
          All {formatNumber(results.length)} loaded
        </Button>
      ) : null}
      <ShareButton mediaIds={selected.map(({ id }) => id)} />
      <ToolbarButton
        icon={<Download aria-hidden="true" className="size-4" />}
        busy={archive.isPending}
        aria-disabled={selected.length === 0}
        onClick={() => void archive.download(selected)}
      >
        {selected.length > 1 ? 'Download ZIP' : 'Download'}
      </ToolbarButton>
    </section>
  );
}
