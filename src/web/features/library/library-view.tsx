import { SquareCheckBig } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { Collection } from '#contract/resources/collection.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { CollectionBar, CollectionRows, useCollection } from '#web/collections/collection-view.tsx';
import { startMediaDrag } from '#web/media/library/drag-media.ts';
import { formatTimeUntilRemoval } from '#web/media/library/retention-date.tsx';
import { type SelectionState, useSelection } from '#web/media/library/selection/selection.ts';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { cx } from '#web/ui/cx.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useLatest } from '#web/ui/hooks/use-latest.ts';
import { useListCommands } from '#web/ui/hooks/use-list-cursor.ts';
import { LIBRARY } from './library-collection.tsx';
import { LibraryRowsContext, type MediaActions } from './library-rows.ts';
import type { LibrarySearch } from './library-search.ts';
import { OpenMedia } from './open-media.tsx';
import { stackRuns } from './stack-runs.ts';
import { SelectionBar } from './selection/selection-bar.tsx';
import { TrashToolbar, useTrash } from './selection/trash-toolbar.tsx';
import { type LibraryScope, useLibraryAddress } from './use-library-address.ts';

const AddToCollectionDialog = lazyComponent(
  async () => (await import('#web/media/library/collections/add-to-collection-dialog.tsx')).AddToCollectionDialog,
);

const NO_STACKS: ReadonlySet<string> = new Set();

interface LibraryViewProps {
  search: LibrarySearch;
  scope: LibraryScope;
  /** The one that is open, once it is loaded. */
  collection?: Collection | undefined;
}

export function LibraryView({ search, scope, collection }: LibraryViewProps) {
  const inTrash = scope === 'trash';
  const address = useLibraryAddress(search, scope);
  const { filters, open, change, hrefOf } = address;
  const [openStacks, setOpenStacks] = useState<ReadonlySet<string>>(NO_STACKS);
  // Collections, answers of clients and the trash begin with everybody's media, also for members.
  const isShared = inTrash || [search.collection, search.link, search.answer].some((each) => each !== undefined);
  // What is searched for or collected stands by itself.
  const hasStacks = scope === 'library' && !isShared && filters.q === undefined;
  const definition = LIBRARY[scope];
  const list = useCollection(definition, {
    search: filters,
    onChange: change,
    isEverybodys: isShared,
    arrange: useCallback(
      (loaded: readonly MediaItem[]) => (hasStacks ? stackRuns(loaded, openStacks).media : loaded),
      [hasStacks, openStacks],
    ),
  });
  const { rows } = list.list;
  const { cursor, current, loadedRows } = list;
  const stackCounts = useMemo(
    () => (hasStacks ? stackRuns(loadedRows, NO_STACKS).counts : new Map<string, number>()),
    [hasStacks, loadedRows],
  );
  const state = useSelection(rows);
  const { selection, selecting, toggle, extend, drop } = state;
  const star = useToggleStar();
  const moveToTrash = useMoveToTrash();
  const trash = useTrash(rows, state);
  const canChange = useCan('work.create');
  const [nowMs] = useState(Date.now);
  const { onFocus } = cursor;
  const [collecting, setCollecting] = useState<readonly string[] | null>(null);
  const selected = useLatest(selection.media);
  const actions = useMemo(
    (): MediaActions => ({
      open: inTrash ? toggle : ({ id }) => open({ item: id }),
      toggle,
      extend,
      star: canChange && !inTrash ? (medium) => void star(medium) : null,
      collect: canChange && !inTrash ? ({ id }) => setCollecting([id]) : null,
      drag: inTrash
        ? null
        : ({ id }, event) => startMediaDrag(event, selected.current.has(id) ? [...selected.current.keys()] : [id]),
      focus: onFocus,
      toggleStack: ({ generation }) => {
        const run = generation?.workflow_run_id;
        if (run)
          setOpenStacks((open) => new Set(open.has(run) ? [...open].filter((id) => id !== run) : [...open, run]));
      },
    }),
    [open, toggle, extend, star, canChange, inTrash, onFocus, selected],
  );
  const shown = useMemo(
    () => ({
      actions,
      selected: selection.media,
      isSelecting: selecting || inTrash,
      hrefOf: ({ id, url }: MediaItem) => (inTrash ? url : hrefOf(id)),
      formatRetention: ({ kept_until }: MediaItem) =>
        formatTimeUntilRemoval(kept_until, nowMs, inTrash ? Infinity : undefined),
      stackOf: ({ id, generation }: MediaItem) => ({
        stackCount: stackCounts.get(id) ?? null,
        isStackOpen: openStacks.has(generation?.workflow_run_id ?? ''),
      }),
    }),
    [actions, selection.media, selecting, inTrash, hrefOf, nowMs, stackCounts, openStacks],
  );
  useLibraryCommands({
    current,
    onStep: cursor.step,
    onSearch: () => list.searchRef.current?.focus(),
    state,
    actions,
    changes: !canChange
      ? []
      : inTrash
        ? [
            { keys: 'r', label: 'Restore the item or the selection', act: (ids) => void trash.restore(ids) },
            { keys: 'delete', label: 'Delete the item or the selection forever', act: (ids) => trash.remove(ids) },
          ]
        : [
            { keys: 'f', label: 'Star', act: () => current && void star(current) },
            { keys: 'a', label: 'Add the item or the selection to a collection', act: setCollecting },
            {
              keys: 'delete',
              label: 'Delete the item or the selection',
              act: (ids) => void moveToTrash(ids, drop),
            },
          ],
  });
  const rowProps = useMemo(
    () => (row: MediaItem) => ({ className: cx(selection.media.has(row.id) && 'bg-amber-soft!') }),
    [selection.media],
  );
  return (
    <LibraryRowsContext value={shown}>
      <CollectionBar
        collection={definition}
        state={list}
        instead={
          !selecting ? null : inTrash ? (
            <TrashToolbar state={state} list={rows} trash={trash} />
          ) : (
            <SelectionBar
              state={state}
              list={rows}
              onCompare={(ids) => open({ compare: ids.join() })}
              collection={collection}
              onCollect={setCollecting}
              onDelete={() => void moveToTrash([...selection.media.keys()], drop)}
            />
          )
        }
      >
        {rows.length > 0 ? (
          <IconButton
            outlined
            label="Select items"
            icon={<SquareCheckBig aria-hidden="true" className="size-4" />}
            onClick={state.begin}
          />
        ) : null}
      </CollectionBar>
      <CollectionRows collection={definition} state={list} rowProps={rowProps} />
      {inTrash ? (
        trash.dialog
      ) : (
        <OpenMedia
          search={search}
          address={address}
          list={list.list}
          onClosed={cursor.moveTo}
          onCollect={setCollecting}
          onDeleted={drop}
        />
      )}
      {collecting ? <AddToCollectionDialog media_ids={collecting} onClose={() => setCollecting(null)} /> : null}
    </LibraryRowsContext>
  );
}

interface LibraryCommandsOptions {
  /** At the cursor. */
  current: MediaItem | undefined;
  onStep: (by: 1 | -1) => void;
  onSearch: () => void;
  state: SelectionState<MediaItem>;
  actions: MediaActions;
  /** What the role may do with the selection, else with the item at the cursor. */
  changes: readonly { keys: string; label: string; act: (mediaIds: readonly string[]) => void }[];
}

/** The keys of the library. */
function useLibraryCommands({ current, onStep, onSearch, state, actions, changes }: LibraryCommandsOptions): void {
  const { selection, selecting, toggle, extend } = state;
  const chosenIds = () => {
    const ids = [...selection.media.keys()];
    return ids.length > 0 || !current ? ids : [current.id];
  };
  useListCommands({
    group: 'Library',
    item: 'item',
    onStep,
    onOpen: () => current && actions.open(current),
    commands: [
      { keys: 'x', label: 'Select (also Space)', run: () => current && toggle(current) },
      { keys: 'shift+x', label: 'Select up to the item', run: () => current && extend(current) },
      ...changes.map(({ act, ...change }) => ({
        ...change,
        run: () => {
          const ids = chosenIds();
          if (ids.length > 0) act(ids);
        },
      })),
      { keys: 'mod+a', label: 'Select all loaded items', run: state.all },
      { keys: '/', label: 'Search', run: onSearch },
      ...(selecting ? [{ keys: 'escape', label: 'Clear the selection', run: state.leave }] : []),
    ],
  });
}
