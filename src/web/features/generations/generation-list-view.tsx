import { useNavigate, Link } from '@tanstack/react-router';
import { useCallback, useMemo, useRef } from 'react';
import { ShowEverybodyButton } from '#web/collections/made-by-filter.tsx';
import { EVERYBODY, usePersonFilter } from '#web/api/queries/use-person-filter.ts';
import { useGenerationList } from '#web/api/queries/generations.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { GenerationGallery, GenerationGallerySkeleton } from './generation-gallery.tsx';
import { GenerationTable } from './generation-table.tsx';
import { hasGenerationFilters, toGenerationFilters, clearGenerationFilters } from './generation-filters.ts';
import { fromSorting, type GenerationSearch, toSorting } from './generation-search.ts';
import { useElementSize } from '#web/ui/use-element-size.ts';
import { BulkActionBar } from './bulk/bulk-action-bar.tsx';
import { GenerationSelectionBar } from './bulk/generation-selection-bar.tsx';
import { useGenerationActions } from './use-generation-actions.ts';
import { useSelection } from '#web/media/library/selection/selection.ts';
import { useListCursor, useListCommands } from '#web/ui/use-list-cursor.ts';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Images } from 'lucide-react';
import { createPageLink } from '#web/api/create-page-link.ts';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import type { Sorting } from '#web/collections/list-columns.ts';
import { GenerationsToolbar } from './generations-toolbar.tsx';

export function GenerationListView({ search, openId }: { search: GenerationSearch; openId: string | undefined }) {
  const person = usePersonFilter(search.person);
  const { person_id } = person;
  const filters = useMemo(() => toGenerationFilters(search, person_id), [search, person_id]);
  const list = useGenerationList(filters, person.isReady);
  const { rows } = list;
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const actions = useGenerationActions();
  const selection = useSelection(rows);
  const { toggle, extend, selecting } = selection;
  const { canChange } = actions;
  const select = useMemo(() => (canChange ? { toggle, extend } : null), [canChange, toggle, extend]);
  const searchBox = useRef<HTMLInputElement>(null);
  const { ref: toolbar, heightPx: coveredPx } = useElementSize();
  const navigate = useNavigate();
  const follow = useCallback(
    (id: string) =>
      void navigate({
        to: '/generations/$id',
        params: { id },
        search: (before) => before,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const cursor = useListCursor(ids, openId, follow);
  const change = useCallback(
    (next: GenerationSearch) => void navigate({ to: '.', search: next, replace: true, resetScroll: false }),
    [navigate],
  );
  const current = rows.find(({ id }) => id === cursor.cursorId) ?? rows.find(({ id }) => id === openId);
  const close = () => {
    if (openId === undefined) return;
    void navigate({ to: '/generations', search: (before) => before, resetScroll: false });
    cursor.moveTo(openId, { follow: false });
  };
  useListCommands({
    group: 'Generations',
    item: 'row',
    onStep: cursor.step,
    onOpen: () => current && actions.open(current.id),
    onSearch: () => searchBox.current?.focus(),
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

  const empty =
    hasGenerationFilters(search) || (person_id !== undefined && !person.isOwnByDefault) ? (
      <NoMatches onClear={() => change(clearGenerationFilters(search))}>No generations match these filters.</NoMatches>
    ) : (
      <NoGenerations
        canCreate={actions.canChange}
        onShowEverybody={person.isOwnByDefault ? () => change({ ...search, person: EVERYBODY }) : null}
      />
    );
  const shown = { openId, actions, select, isSelecting: selecting, selectedIds: selection.selection.media };
  return (
    <>
      {actions.askDialog}
      <div ref={toolbar} className="sticky top-13 z-10 -mx-4 bg-canvas px-4 py-3 md:top-0 md:-mx-8 md:px-8">
        {selecting ? (
          <GenerationSelectionBar state={selection} rows={rows} filters={filters} hasMore={list.hasMore} />
        ) : (
          <GenerationsToolbar
            search={search}
            person={person}
            onChange={(part) => change(omitUndefined({ ...search, ...part }))}
            searchRef={searchBox}
            onSelect={canChange && rows.length > 0 ? selection.begin : null}
          />
        )}
      </div>
      <BulkActionBar />
      {search.view === 'gallery' ? (
        <ListStates
          list={list}
          what="Your generations"
          older="Older generations"
          loading={
            <Loading label="Loading generations">
              <GenerationGallerySkeleton tiles={12} />
            </Loading>
          }
          empty={empty}
        >
          <GenerationGallery
            {...shown}
            generations={rows}
            ids={ids}
            cursor={cursor.cursor}
            reveal={cursor.reveal}
            onFocus={cursor.onFocus}
            hasMore={list.hasMore}
            onNearEnd={list.onNearEnd}
            coveredPx={coveredPx}
          />
        </ListStates>
      ) : (
        <GenerationTable
          {...shown}
          list={list}
          cursor={cursor}
          coveredPx={coveredPx}
          empty={empty}
          sorting={{ now: toSorting(search), onChange: (sorting) => change(sortedBy(search, sorting)) }}
        />
      )}
    </>
  );
}

const sortedBy = (search: GenerationSearch, sorting: Sorting): GenerationSearch =>
  omitUndefined({ ...search, sort: undefined, order: undefined, ...fromSorting(sorting) });

interface NoGenerationsProps {
  canCreate: boolean;
  /** null: the list shows everybody's already. */
  onShowEverybody: (() => void) | null;
}

function NoGenerations({ canCreate, onShowEverybody }: NoGenerationsProps) {
  return (
    <EmptyState
      icon={<Images aria-hidden="true" />}
      title={onShowEverybody ? 'You have no generations yet' : 'No generations yet'}
      actions={
        <>
          {canCreate ? (
            <Link {...createPageLink()} className={buttonClass({ variant: 'primary' })}>
              Create something
            </Link>
          ) : null}
          {onShowEverybody ? (
            <ShowEverybodyButton onClick={onShowEverybody} />
          ) : (
            <Link to="/models" className={buttonClass()}>
              View models and prices
            </Link>
          )}
        </>
      }
    >
      {onShowEverybody
        ? 'What you create appears here, with its cost.'
        : canCreate
          ? 'Everything you and your team create appears here, with its cost.'
          : 'Everything your team creates appears here, with its cost.'}
    </EmptyState>
  );
}
