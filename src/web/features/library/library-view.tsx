import { Trash2 } from 'lucide-react';
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
import { hasMediaFilters, type LibraryScope, toMediaFilters, useLibraryAddress } from './use-library-address.ts';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { SelectedToolbar } from './selection/selected-toolbar.tsx';
import { TrashToolbar, useTrash } from './selection/trash-toolbar.tsx';
import type { MediaItem } from '#contract/resources/media.ts';
import { useListCommands } from '#web/ui/use-list-cursor.ts';

const AddToCollectionDialog = lazyComponent(
  async () => (await import('#web/media/library/collections/add-to-collection-dialog.tsx')).AddToCollectionDialog,
);

interface LibraryViewProps {
  search: LibrarySearch;
  /** The one that is open, once it is loaded. */
  collection: Collection | undefined;
  scope?: LibraryScope;
}

export function LibraryView({ search, collection, scope = 'library' }: LibraryViewProps) {
  const inTrash = scope === 'trash';
  const address = useLibraryAddress(search, scope);
  const { filters, open, change, hrefOf } = address;
  const isShared = inTrash || [search.collection, search.link, search.answer].some((each) => each !== undefined);
  const chosen = usePersonFilter(search.person ?? (isShared ? EVERYBODY : undefined));
  // Collections, answers of clients and the trash begin with everybody's media, also for members.
  const person = isShared ? { ...chosen, initial: EVERYBODY, isOwnByDefault: false } : chosen;
  const { person_id } = person;
  const mediaFilters = useMemo(
    () => ({ ...toMediaFilters(filters, person_id), ...(inTrash ? { in_trash: 'true' as const } : {}) }),
    [filters, person_id, inTrash],
  );
  const list = useMediaList(mediaFilters, person.isReady);
  const media = list.rows;
  const cursor = useMediaCursor();
  const state = useSelection(media);
  const { selection, selecting, toggle, extend, drop } = state;
  const searchBox = useRef<HTMLInputElement>(null);
  const { ref: toolbar, heightPx: coveredPx } = useElementSize();
  const star = useToggleStar();
  const moveToTrash = useMoveToTrash();
  const trash = useTrash(media, state);
  const canChange = useCan('work.create');
  const [nowMs] = useState(Date.now);
  const showsCreator = useHasSeveralPeople();
  const { onFocus } = cursor;
  const [collecting, setCollecting] = useState<readonly string[] | null>(null);
  const selected = useLatest(selection.media);
  const actions = useMemo(
    (): TileActions => ({
      open: inTrash ? toggle : ({ id }) => open({ item: id }),
      toggle,
      extend,
      star: canChange && !inTrash ? (medium) => void star(medium) : null,
      collect: canChange && !inTrash ? ({ id }) => setCollecting([id]) : null,
      drag: inTrash
        ? null
        : ({ id }, event) => startMediaDrag(event, selected.current.has(id) ? [...selected.current.keys()] : [id]),
      focus: onFocus,
    }),
    [open, toggle, extend, star, canChange, inTrash, onFocus, selected],
  );
  useLibraryCommands({
    media,
    cursor,
    state,
    changes: !canChange
      ? []
      : inTrash
        ? [
            { keys: 'r', label: 'Restore the item or the selection', act: (ids) => void trash.restore(ids) },
            { keys: 'delete', label: 'Delete the item or the selection forever', act: (ids) => trash.remove(ids) },
          ]
        : [
            { keys: 'f', label: 'Star', act: (_ids, current) => current && void star(current) },
            { keys: 'a', label: 'Add the item or the selection to a collection', act: setCollecting },
            {
              keys: 'delete',
              label: 'Delete the item or the selection',
              act: (ids) => void moveToTrash(ids, drop),
            },
          ],
    onSearch: () => searchBox.current?.focus(),
  });

  return (
    <>
      <div ref={toolbar} className="sticky top-13 z-10 -mx-4 bg-canvas px-4 py-3 md:top-0 md:-mx-8 md:px-8">
        {selecting && inTrash ? (
          <TrashToolbar state={state} loadedCount={media.length} trash={trash} />
        ) : selecting ? (
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
        what={inTrash ? 'The trash' : search.collection ? 'This collection' : 'Your library'}
        older="Older media"
        loading={
          <Loading label="Loading the library">
            <GridSkeleton rows={4} />
          </Loading>
        }
        empty={
          hasMediaFilters(search) || (person_id !== undefined && !person.isOwnByDefault) ? (
            <NoMatches onClear={address.clear}>No files match these filters.</NoMatches>
          ) : inTrash ? (
            <EmptyState icon={<Trash2 aria-hidden="true" />} title="The trash is empty">
              Files that you delete appear here until they are removed for good.
            </EmptyState>
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
            label={inTrash ? 'Trash' : 'Media'}
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
                href={inTrash ? medium.url : hrefOf(medium.id)}
                retentionLabel={formatTimeUntilRemoval(medium.kept_until, nowMs, inTrash ? Infinity : undefined)}
                selected={selection.media.has(medium.id)}
                selecting={selecting || inTrash}
                tabbable={tabbable}
                actions={actions}
              />
            )}
          />
        </div>
      </ListStates>
      {inTrash ? (
        trash.dialog
      ) : (
        <OpenMedia
          search={search}
          address={address}
          list={list}
          onClosed={cursor.moveTo}
          onCollect={setCollecting}
          onDeleted={drop}
        />
      )}
      {collecting ? <AddToCollectionDialog media_ids={collecting} onClose={() => setCollecting(null)} /> : null}
    </>
  );
}

interface LibraryCommandsOptions {
  media: readonly MediaItem[];
  cursor: MediaCursor;
  state: SelectionState<MediaItem>;
  /** What the role may do with the selection, else with the item at the cursor. */
  changes: readonly {
    keys: string;
    label: string;
    act: (media_ids: readonly string[], current: MediaItem | undefined) => void;
  }[];
  onSearch: () => void;
}

/** The keys of the library. */
function useLibraryCommands({ media, cursor, state, changes, onSearch }: LibraryCommandsOptions): void {
  const { selection, selecting, toggle } = state;
  const at = media.findIndex(({ id }) => id === cursor.id);
  const current = media[at];
  const chosenIds = () => {
    const ids = [...selection.media.keys()];
    return ids.length > 0 || !current ? ids : [current.id];
  };
  useListCommands({
    group: 'Library',
    item: 'item',
    onStep: (by) => cursor.moveTo((media[at + by] ?? current ?? media[0])?.id),
    commands: [
      { keys: 'x', label: 'Select (also Space)', run: () => current && toggle(current) },
      ...changes.map(({ act, ...change }) => ({
        ...change,
        run: () => {
          const ids = chosenIds();
          if (ids.length > 0) act(ids, current);
        },
      })),
      { keys: 'mod+a', label: 'Select all loaded items', run: state.all },
      { keys: '/', label: 'Search', run: onSearch },
      ...(selecting ? [{ keys: 'escape', label: 'Clear the selection', run: state.leave }] : []),
    ],
  });
}
