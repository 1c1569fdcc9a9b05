import { useNavigate } from '@tanstack/react-router';
import { SquareCheckBig } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import {
  CollectionBar,
  CollectionRows,
  useCollection,
  useCollectionCommands,
} from '#web/collections/collection-view.tsx';
import { useSelection } from '#web/media/library/selection/selection.ts';
import { cx } from '#web/ui/cx.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { BulkActionBar } from './bulk/bulk-action-bar.tsx';
import { GenerationSelectionBar } from './bulk/generation-selection-bar.tsx';
import { GENERATIONS, GenerationRowsContext } from './generation-collection.tsx';
import { GenerationGallery, GenerationGallerySkeleton } from './generation-gallery.tsx';
import type { GenerationSearch } from './generation-search.ts';
import { useGenerationActions } from './use-generation-actions.ts';

const GALLERY: typeof GENERATIONS = {
  ...GENERATIONS,
  body: { Tiles: GenerationGallery, skeleton: <GenerationGallerySkeleton tiles={12} /> },
};

export function GenerationListView({ search, openId }: { search: GenerationSearch; openId: string | undefined }) {
  const navigate = useNavigate();
  const onFollow = ({ id }: Generation) =>
    void navigate({
      to: '/generations/$id',
      params: { id },
      search: (before) => before,
      replace: true,
      resetScroll: false,
    });
  const onChange = (change: GenerationSearch) =>
    void navigate({ to: '.', search: omitUndefined({ ...search, ...change }), replace: true, resetScroll: false });
  const state = useCollection(GENERATIONS, { search, onChange, openId, onFollow });
  const { list, cursor, current } = state;
  const { rows } = list;
  const actions = useGenerationActions();
  const selection = useSelection(rows);
  const { toggle, extend, selecting } = selection;
  const { canChange } = actions;
  const select = useMemo(() => (canChange ? { toggle, extend } : null), [canChange, toggle, extend]);
  const selectedIds = selection.selection.media;
  const close = () => {
    if (openId === undefined) return;
    void navigate({ to: '/generations', search: (before) => before, resetScroll: false });
    cursor.moveTo(openId, { follow: false });
  };
  useCollectionCommands(GENERATIONS, state, {
    onOpen: () => current && actions.open(current.id),
    commands: [
      ...(canChange
        ? [
            { keys: 'x', label: 'Select', run: () => current && toggle(current) },
            { keys: 'mod+a', label: 'Select all loaded rows', run: selection.all },
            { keys: 'c', label: 'Cancel', run: () => current && void actions.cancel(current) },
            { keys: 'r', label: 'Try again', run: () => current && void actions.retry(current) },
          ]
        : []),
      selecting
        ? { keys: 'escape', label: 'Clear the selection', run: selection.leave }
        : { keys: 'escape', label: 'Close the panel', run: close },
    ],
  });
  const shown = useMemo(
    () => ({ openId, actions, select, isSelecting: selecting, selectedIds }),
    [openId, actions, select, selecting, selectedIds],
  );
  const rowProps = useCallback(
    ({ id }: Generation) => ({ className: cx('group/row', selectedIds.has(id) && 'bg-hover') }),
    [selectedIds],
  );
  return (
    <>
      {actions.askDialog}
      <CollectionBar
        collection={GENERATIONS}
        state={state}
        instead={
          selecting ? (
            <GenerationSelectionBar state={selection} rows={rows} filters={state.query} hasMore={list.hasMore} />
          ) : null
        }
      >
        {canChange && rows.length > 0 ? (
          <IconButton
            outlined
            label="Select items"
            icon={<SquareCheckBig aria-hidden="true" className="size-4" />}
            onClick={selection.begin}
          />
        ) : null}
      </CollectionBar>
      <BulkActionBar />
      <GenerationRowsContext value={shown}>
        <CollectionRows
          collection={search.view === 'gallery' ? GALLERY : GENERATIONS}
          state={state}
          rowProps={rowProps}
        />
      </GenerationRowsContext>
    </>
  );
}
