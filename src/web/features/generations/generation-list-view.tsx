import { useNavigate, Link } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, type Ref } from 'react';
import { ShowEverybodyButton, MadeByField, useMadeByChip } from '#web/api/made-by-filter.tsx';
import { EVERYBODY, usePersonFilter, type PersonFilter } from '#web/api/queries/use-person-filter.ts';
import { useGenerationList } from '#web/api/queries/generations.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { GenerationGallery, GenerationGallerySkeleton } from './generation-gallery.tsx';
import { GenerationTable } from './generation-table.tsx';
import { hasGenerationFilters, toGenerationFilters, clearGenerationFilters } from './generation-filters.ts';
import type { GenerationSearch } from './generation-search.ts';
import { useElementSize } from '#web/ui/use-element-size.ts';
import { BulkActionBar } from './bulk/bulk-action-bar.tsx';
import { GenerationSelectionBar } from './bulk/generation-selection-bar.tsx';
import { useGenerationActions } from './use-generation-actions.ts';
import { useSelection } from '#web/media/library/selection/selection.ts';
import { useListCursor, useListCommands } from '#web/ui/use-list-cursor.ts';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Images, SquareCheckBig } from 'lucide-react';
import { createPageLink } from '#web/api/create-page-link.ts';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { TASK_IDS } from '#contract/ids.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { TagFilterFields } from '#web/forms/tags/tag-filter-fields.tsx';
import type { TagFilter } from '#web/forms/tags/tag-filter.ts';
import { useAppliedTags } from '#web/forms/tags/use-applied-tags.ts';
import { TaskModelFields } from '#web/media/task-model-fields.tsx';
import { AppliedFilters, FilterMenu } from '#web/ui/filter-menu.tsx';
import { formatDayRange } from '#web/ui/days.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { StatusChips } from '#web/ui/status-chips.tsx';

export function GenerationListView({ search, openId }: { search: GenerationSearch; openId: string | undefined }) {
  const person = usePersonFilter(search.person);
  const { person_id } = person;
  const filters = useMemo(() => toGenerationFilters(search, person_id), [search, person_id]);
  const list = useGenerationList(filters, person.is_ready);
  const { rows } = list;
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const actions = useGenerationActions();
  const selection = useSelection(rows);
  const { toggle, extend, selecting } = selection;
  const { canChange } = actions;
  const select = useMemo(() => (canChange ? { toggle, extend } : null), [canChange, toggle, extend]);
  const searchBox = useRef<HTMLInputElement>(null);
  const { ref: toolbar, height_px: coveredPx } = useElementSize();
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
    hasGenerationFilters(search) || (person_id !== undefined && !person.is_own_by_default) ? (
      <NoMatches onClear={() => change(clearGenerationFilters(search))}>No generations match these filters.</NoMatches>
    ) : (
      <NoGenerations
        canCreate={actions.canChange}
        onShowEverybody={person.is_own_by_default ? () => change({ ...search, person: EVERYBODY }) : null}
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
            covered_px={coveredPx}
          />
        </ListStates>
      ) : (
        <GenerationTable {...shown} list={list} cursor={cursor} coveredPx={coveredPx} empty={empty} />
      )}
    </>
  );
}

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

interface GenerationsToolbarProps {
  search: GenerationSearch;
  person: PersonFilter;
  onChange: (change: { [K in keyof GenerationSearch]: GenerationSearch[K] | undefined }) => void;
  searchRef: Ref<HTMLInputElement>;
  /** Begins a selection; null: nothing can be selected. */
  onSelect: (() => void) | null;
}

function GenerationsToolbar({ search, person, onChange, searchRef, onSelect }: GenerationsToolbarProps) {
  const names = useCatalogNames();
  const { task, model, tags, from, to } = search;
  const changeTags = (next: TagFilter | undefined) => onChange({ tags: next });
  const appliedTags = useAppliedTags(tags, changeTags);
  const madeBy = useMadeByChip(person, onChange);
  return (
    <search aria-label="Filter generations" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-3">
        <SearchBox
          ref={searchRef}
          label="Search prompts"
          value={search.q ?? ''}
          onChange={(q) => onChange({ q: q || undefined })}
          className="min-w-36 flex-1 @3xl:max-w-64"
        />
        <div className="order-last w-full min-w-0 @3xl:order-none @3xl:w-auto @3xl:flex-1">
          <StatusChips value={search.status} onChange={(status) => onChange({ status })} />
        </div>
        <FilterMenu
          values={[person.person_id, task, model, ...Object.keys(tags ?? {})]}
          from={from}
          to={to}
          onDaysChange={onChange}
        >
          <MadeByField filter={person} onChange={onChange} />
          <TaskModelFields tasks={TASK_IDS} task={task} model={model} onChange={onChange} />
          <TagFilterFields tags={tags} onChange={changeTags} />
        </FilterMenu>
        {onSelect ? (
          <IconButton
            outlined
            label="Select items"
            icon={<SquareCheckBig aria-hidden="true" className="size-4" />}
            onClick={onSelect}
          />
        ) : null}
      </div>
      <AppliedFilters
        filters={[
          madeBy,
          { label: task && names.task(task), onRemove: () => onChange({ task: undefined }) },
          { label: model && names.model(model), onRemove: () => onChange({ model: undefined }) },
          ...appliedTags,
          { label: formatDayRange(from, to), onRemove: () => onChange({ from: undefined, to: undefined }) },
        ]}
      />
    </search>
  );
}
