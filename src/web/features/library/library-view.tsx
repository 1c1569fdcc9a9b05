import { useMemo, useRef, useState } from 'react';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { GridSkeleton } from '#web/media/library/grid-skeleton.tsx';
import { MediaGrid } from '#web/media/library/media-grid.tsx';
import { formatTimeUntilRemoval } from '#web/media/library/retention-date.tsx';
import { useMediaCursor } from '#web/media/library/use-media-cursor.ts';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { useHasSeveralPeople } from '#web/api/queries/people.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { EVERYBODY, usePersonFilter } from '#web/api/queries/use-person-filter.ts';
import { useMediaList } from '#web/api/queries/media.ts';
import { ShowEverybodyButton } from '#web/api/made-by-filter.tsx';
import { ListStates } from '#web/api/list-states.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { useElementSize } from '#web/ui/use-element-size.ts';
import type { LibrarySearch } from './library-search.ts';
import { LibraryTile, type TileActions } from './library-tile.tsx';
import { LibraryToolbar } from './library-toolbar.tsx';
import { OpenMedia, preloadViewer } from './open-media.tsx';
import { SelectedToolbar } from './selection/selected-toolbar.tsx';
import { useSelection } from '#web/media/library/selection/selection.ts';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { useLibraryAddress, hasMediaFilters, toMediaFilters } from './use-library-address.ts';
import { useListCommands } from '#web/ui/use-list-cursor.ts';
import { Link } from '@tanstack/react-router';
import { LibraryBig } from 'lucide-react';
import { createPageLink } from '#web/api/create-page-link.ts';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';

export function LibraryView({ search }: { search: LibrarySearch }) {
  const address = useLibraryAddress(search);
  const { filters, open, change, hrefOf } = address;
  const person = usePersonFilter(search.person);
  const { person_id } = person;
  const media_filters = useMemo(() => toMediaFilters(filters, person_id), [filters, person_id]);
  const list = useMediaList(media_filters, person.is_ready);
  const media = list.rows;
  const cursor = useMediaCursor();
  const state = useSelection(media);
  const { selection, selecting, toggle, extend, drop } = state;
  const searchBox = useRef<HTMLInputElement>(null);
  const { ref: toolbar, height_px: covered_px } = useElementSize();
  const star = useToggleStar();
  const moveToTrash = useMoveToTrash();
  const canChange = useCan('work.create');
  const [now_ms] = useState(Date.now);
  const showsCreator = useHasSeveralPeople();
  const { onFocus } = cursor;
  const actions = useMemo(
    (): TileActions => ({
      open: ({ id }) => open({ item: id }),
      toggle,
      extend,
      star: canChange ? (medium) => void star(medium) : null,
      focus: onFocus,
    }),
    [open, toggle, extend, star, canChange, onFocus],
  );
  const at = media.findIndex(({ id }) => id === cursor.id);
  const current = media[at];
  useListCommands({
    group: 'Library',
    item: 'item',
    onStep: (by) => cursor.moveTo((media[at + by] ?? current ?? media[0])?.id),
    commands: [
      { keys: 'x', label: 'Select (also Space)', run: () => current && toggle(current) },
      ...(canChange
        ? [
            { keys: 'f', label: 'Star', run: () => current && void star(current) },
            {
              keys: 'delete',
              label: 'Delete the item or the selection',
              run: () => {
                const chosen = [...selection.media.keys()];
                void moveToTrash(chosen.length > 0 ? chosen : current ? [current.id] : [], drop);
              },
            },
          ]
        : []),
      { keys: 'mod+a', label: 'Select all loaded items', run: state.all },
      { keys: '/', label: 'Search', run: () => searchBox.current?.focus() },
      ...(selecting ? [{ keys: 'escape', label: 'Clear the selection', run: state.leave }] : []),
    ],
  });

  if (media.length === 0 && isMissingFeature(list.problem)) return <LibraryUnsupported />;
  return (
    <>
      <div ref={toolbar} className="sticky top-13 z-10 -mx-4 bg-canvas px-4 py-3 md:top-0 md:-mx-8 md:px-8">
        {selecting ? (
          <SelectedToolbar
            state={state}
            list={media}
            onCompare={(ids) => open({ compare: ids.join() })}
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
        what="Your library"
        older="Older media"
        loading={
          <Loading label="Loading the library">
            <GridSkeleton rows={4} />
          </Loading>
        }
        empty={
          hasMediaFilters(search) || (person_id !== undefined && !person.is_own_by_default) ? (
            <NoMatches onClear={address.clear}>No files match these filters.</NoMatches>
          ) : (
            <EmptyLibrary
              canCreate={canChange}
              onShowEverybody={person.is_own_by_default ? () => change({ person: EVERYBODY }) : null}
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
            covered_px={covered_px}
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
                retentionLabel={formatTimeUntilRemoval(medium.kept_until, now_ms)}
                selected={selection.media.has(medium.id)}
                selecting={selecting}
                tabbable={tabbable}
                actions={actions}
              />
            )}
          />
        </div>
      </ListStates>
      <OpenMedia search={search} address={address} list={list} onClosed={cursor.moveTo} onDeleted={drop} />
    </>
  );
}

interface EmptyLibraryProps {
  canCreate: boolean;
  /** null: the list shows everybody's already. */
  onShowEverybody: (() => void) | null;
}

function EmptyLibrary({ canCreate, onShowEverybody }: EmptyLibraryProps) {
  return (
    <EmptyState
      icon={<LibraryBig aria-hidden="true" />}
      title={onShowEverybody ? 'You have no media yet' : 'No media yet'}
      actions={
        <>
          {canCreate ? (
            <Link {...createPageLink()} className={buttonClass({ variant: 'primary' })}>
              Create something
            </Link>
          ) : null}
          {onShowEverybody ? <ShowEverybodyButton onClick={onShowEverybody} /> : null}
        </>
      }
    >
      {onShowEverybody
        ? 'What you upload or create appears here.'
        : canCreate
          ? 'Everything you and your team upload or create appears here.'
          : 'Everything your team uploads or creates appears here.'}
    </EmptyState>
  );
}

function LibraryUnsupported() {
  return (
    <EmptyState
      icon={<LibraryBig aria-hidden="true" />}
      title="No library available"
      actions={
        <Link to="/generations" search={{ view: 'gallery' }} className={buttonClass()}>
          View generations
        </Link>
      }
    >
      This service doesn’t offer a library. Find your results under Generations.
    </EmptyState>
  );
}
