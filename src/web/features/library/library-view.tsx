import { useMemo, useRef, useState } from 'react';
import type { Collection } from '#contract/resources/collection.ts';
import { GridSkeleton } from '#web/media/library/grid-skeleton.tsx';
import { MediaGrid } from '#web/media/library/media-grid.tsx';
import { formatTimeUntilRemoval } from '#web/media/library/retention-date.tsx';
import { useMediaCursor, type MediaCursor } from '#web/media/library/use-media-cursor.ts';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { useHasSeveralPeople } from '#web/api/queries/people.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { EVERYBODY, usePersonFilter } from '#web/api/queries/use-person-filter.ts';
import { useMediaList } from '#web/api/queries/media.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { useElementSize } from '#web/ui/use-element-size.ts';
import type { LibrarySearch } from './library-search.ts';
import { startMediaDrag } from '#web/media/library/drag-media.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useLatest } from '#web/ui/use-latest.ts';
import { EmptyCollection } from './collections/collection-missing.tsx';
import { EmptyLibrary } from './empty-library.tsx';
import { LibraryTile, type TileActions } from './library-tile.tsx';
import { LibraryToolbar } from './library-toolbar.tsx';
import { OpenMedia, preloadViewer } from './open-media.tsx';
import { useSelection, type SelectionState } from '#web/media/library/selection/selection.ts';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { useLibraryAddress, hasMediaFilters, toMediaFilters } from './use-library-address.ts';
import { NoMatches } from '#web/ui/empty-state.tsx';
import { SelectedToolbar } from './selection/selected-toolbar.tsx';
import type { MediaItem } from '#contract/resources/media.ts';
import { useListCommands } from '#web/ui/use-list-cursor.ts';

const AddToCollectionDialog = lazyComponent(
  async () => (await import('#web/media/library/collections/add-to-collection-dialog.tsx')).AddToCollectionDialog,
);

interface LibraryViewProps {
  search: LibrarySearch;
  /** The one that is open, once it is loaded. */
  collection: Collection | undefined;
}

export function LibraryView({ search, collection }: LibraryViewProps) {
  const address = useLibraryAddress(search);
  const { filters, open, change, hrefOf } = address;
  const chosen = usePersonFilter(search.person ?? (search.collection && EVERYBODY));
  // A collection begins with everybody's media, also for members.
  const person = search.collection ? { ...chosen, initial: EVERYBODY, isOwnByDefault: false } : chosen;
  const { person_id } = person;
  const mediaFilters = useMemo(() => toMediaFilters(filters, person_id), [filters, person_id]);
  const list = useMediaList(mediaFilters, person.isReady);
  const media = list.rows;
  const cursor = useMediaCursor();
  const state = useSelection(media);
  const { selection, selecting, toggle, extend, drop } = state;
  const searchBox = useRef<HTMLInputElement>(null);
  const { ref: toolbar, heightPx: coveredPx } = useElementSize();
  const star = useToggleStar();
  const moveToTrash = useMoveToTrash();
  const canChange = useCan('work.create');
  const [nowMs] = useState(Date.now);
  const showsCreator = useHasSeveralPeople();
  const { onFocus } = cursor;
  const [collecting, setCollecting] = useState<readonly string[] | null>(null);
  const selected = useLatest(selection.media);
  const actions = useMemo(
    (): TileActions => ({
      open: ({ id }) => open({ item: id }),
      toggle,
      extend,
      star: canChange ? (medium) => void star(medium) : null,
      collect: canChange ? ({ id }) => setCollecting([id]) : null,
      drag: ({ id }, event) => startMediaDrag(event, selected.current.has(id) ? [...selected.current.keys()] : [id]),
      focus: onFocus,
    }),
    [open, toggle, extend, star, canChange, onFocus, selected],
  );
  useLibraryCommands({
    media,
    cursor,
    state,
    change: canChange
      ? {
          star: (medium) => void star(medium),
          collect: setCollecting,
          remove: (ids) => void moveToTrash(ids, drop),
        }
      : null,
    onSearch: () => searchBox.current?.focus(),
  });

  return (
    <>
      <div ref={toolbar} className="sticky top-13 z-10 -mx-4 bg-canvas px-4 py-3 md:top-0 md:-mx-8 md:px-8">
        {selecting ? (
          <SelectedToolbar
            state={state}
            list={media}
            onCompare={(ids) => open({ compare: ids.join() })}
            collection={collection}
            onCollect={setCollecting}
            onDelete={() => void moveToTrash([...selection.media.keys()], drop)}
          />
        ) : (
          <LibraryToolbar
            filters={filters}
            person={person}
            onChange={change}
            searchRef={searchBox}
            onSelect={media.length > 0 ? state.begin : null}
          />
        )}
      </div>
      <ListStates
        list={list}
        what={search.collection ? 'This collection' : 'Your library'}
        older="Older media"
        loading={
          <Loading label="Loading the library">
            <GridSkeleton rows={4} />
          </Loading>
        }
        empty={
          hasMediaFilters(search) || (person_id !== undefined && !person.isOwnByDefault) ? (
            <NoMatches onClear={address.clear}>No files match these filters.</NoMatches>
          ) : search.collection ? (
            <EmptyCollection canChange={canChange} />
          ) : (
            <EmptyLibrary
              canCreate={canChange}
              onShowEverybody={person.isOwnByDefault ? () => change({ person: EVERYBODY }) : null}
            />
          )
        }
      >
        <div onPointerEnter={preloadViewer} onFocus={preloadViewer}>
          <MediaGrid
            label="Media"
            media={media}
            hasMore={list.hasMore}
            onNearEnd={list.onNearEnd}
            coveredPx={coveredPx}
            cursor={cursor}
            onSpace={toggle}
            onExtend={extend}
            renderTile={(medium, box, tabbable) => (
              <LibraryTile
                key={medium.id}
                {...box}
                medium={medium}
                showsCreator={showsCreator}
                href={hrefOf(medium.id)}
                retentionLabel={formatTimeUntilRemoval(medium.kept_until, nowMs)}
                selected={selection.media.has(medium.id)}
                selecting={selecting}
                tabbable={tabbable}
                actions={actions}
              />
            )}
          />
        </div>
      </ListStates>
      <OpenMedia
        search={search}
        address={address}
        list={list}
        onClosed={cursor.moveTo}
        onCollect={setCollecting}
        onDeleted={drop}
      />
      {collecting ? <AddToCollectionDialog media_ids={collecting} onClose={() => setCollecting(null)} /> : null}
    </>
  );
}

interface LibraryCommandsOptions {
  media: readonly MediaItem[];
  cursor: MediaCursor;
  state: SelectionState<MediaItem>;
  /** null: the role may not. */
  change: {
    star: (medium: MediaItem) => void;
    collect: (media_ids: readonly string[]) => void;
    remove: (media_ids: readonly string[]) => void;
  } | null;
  onSearch: () => void;
}

/** The keys of the library. */
function useLibraryCommands({ media, cursor, state, change, onSearch }: LibraryCommandsOptions): void {
  const { selection, selecting, toggle } = state;
  const at = media.findIndex(({ id }) => id === cursor.id);
  const current = media[at];
  const chosenIds = () => {
    const ids = [...selection.media.keys()];
    return ids.length > 0 || !current ? ids : [current.id];
  };
  const run = (act: (media_ids: readonly string[]) => void) => () => {
    const ids = chosenIds();
    if (ids.length > 0) act(ids);
  };
  useListCommands({
    group: 'Library',
    item: 'item',
    onStep: (by) => cursor.moveTo((media[at + by] ?? current ?? media[0])?.id),
    commands: [
      { keys: 'x', label: 'Select (also Space)', run: () => current && toggle(current) },
      ...(change
        ? [
            { keys: 'f', label: 'Star', run: () => current && change.star(current) },
            { keys: 'a', label: 'Add the item or the selection to a collection', run: run(change.collect) },
            { keys: 'delete', label: 'Delete the item or the selection', run: run(change.remove) },
          ]
        : []),
      { keys: 'mod+a', label: 'Select all loaded items', run: state.all },
      { keys: '/', label: 'Search', run: onSearch },
      ...(selecting ? [{ keys: 'escape', label: 'Clear the selection', run: state.leave }] : []),
    ],
  });
}
