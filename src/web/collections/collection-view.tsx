import { useNavigate } from '@tanstack/react-router';
import { type ComponentType, type HTMLAttributes, type ReactNode, useCallback, useMemo, useRef } from 'react';
import { EVERYBODY, usePersonFilter } from '#web/api/queries/use-person-filter.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { cx } from '#web/ui/cx.ts';
import { NoMatches } from '#web/ui/display/empty-state.tsx';
import { Loading } from '#web/ui/display/skeleton.tsx';
import { useElementSize } from '#web/ui/hooks/use-element-size.ts';
import { useListCommands, useListCursor } from '#web/ui/hooks/use-list-cursor.ts';
import { omitUndefined } from '#web/ui/search-params.ts';
import type { CollectionList } from './collection-list.ts';
import { CollectionToolbar, isInBar } from './collection-toolbar.tsx';
import {
  clearFilters,
  type FilterRows,
  hasFilters,
  type QueryOf,
  type RawSearch,
  type SearchOf,
  toQuery,
} from './filter-rows.ts';
import { FramedList, type FramedListProps } from './framed-list.tsx';
import { type Column, fromSorting, type NarrowLayout, OPEN_ROW, toSorting } from './list-columns.ts';
import { ResourceList } from './resource-list.tsx';

/** What the empty list of a collection gets. */
export interface EmptyProps<F extends FilterRows> {
  search: SearchOf<F>;
  onChange: (change: SearchOf<F>) => void;
  /** null: the list shows everybody's work already. */
  onShowEverybody: (() => void) | null;
}

/** What the tiles of a collection get. */
export interface TilesProps<R extends { id: string }> {
  label: string;
  list: CollectionList<R>;
  ids: readonly string[];
  cursor: ReturnType<typeof useListCursor>;
  /** Height of the sticky toolbar. */
  coveredPx: number;
}

/** Rows of one height with columns, rows of differing height in a frame, or tiles. */
type CollectionBody<R extends { id: string }> =
  | { columns: readonly Column<R>[]; narrow: NarrowLayout; rowRem: number; as?: 'list' | 'table' }
  | Pick<FramedListProps<R>, 'Row' | 'skeleton' | 'skeletonClass'>
  | { Tiles: ComponentType<TilesProps<R>>; skeleton: ReactNode };

/** A list of the dashboard: its filters, its rows, and what it says. */
export interface Collection<R extends { id: string }, F extends FilterRows> {
  /** "Runs" */
  label: string;
  /** "run" */
  item: string;
  /** Of its keys; the label by default. */
  group?: string;
  filters: F;
  /** @param isReady false: whose work is to be shown is not known yet */
  useList: (query: QueryOf<F>, isReady: boolean) => CollectionList<R>;
  body: CollectionBody<R>;
  Empty: ComponentType<EmptyProps<F>>;
  /** Subject of the error when nothing could be loaded; the label by default. */
  what?: string;
  skeletonRows?: number;
}

/** Infers the types of a definition. A browser test opens every one in all of its states. */
export const defineCollection = <R extends { id: string }, F extends FilterRows>(
  collection: Collection<R, F>,
): Collection<R, F> => collection;

interface CollectionStateOptions<R extends { id: string }, F extends FilterRows> {
  search: SearchOf<F>;
  /** Replaces the search parameters of the page by default. */
  onChange?: (change: SearchOf<F>) => void;
  /** Id of the row whose details are open beside the list. */
  openId?: string | undefined;
  /** Finds it where the address does not have its id. */
  findOpen?: (rows: readonly R[]) => string | undefined;
  /** Opens the details of another row. */
  onFollow?: (row: R) => void;
  /** Begins with everybody's work for members too. */
  isEverybodys?: boolean;
  /** Orders or hides loaded rows. Pass the same function while it does the same. */
  arrange?: (rows: readonly R[]) => readonly R[];
}

/** The list with its filters and the row of the keyboard, for a page that shows more than `CollectionView`. */
export function useCollection<R extends { id: string }, F extends FilterRows>(
  collection: Pick<Collection<R, F>, 'filters' | 'useList'>,
  options: CollectionStateOptions<R, F>,
) {
  const navigate = useNavigate();
  const changeAddress = (change: SearchOf<F>) => {
    const next = omitUndefined({ ...options.search, ...change });
    // The page that has the list parses them with its filters.
    void navigate({ to: '.', search: next as never, replace: true, resetScroll: false });
  };
  const { search, onChange = changeAddress, findOpen, onFollow, isEverybodys = false, arrange } = options;
  const { filters, useList } = collection;
  const hasPerson = Object.values(filters).some(({ look }) => look.kind === 'person');
  const chosen = usePersonFilter((search as { person?: string }).person ?? (isEverybodys ? EVERYBODY : undefined));
  const person = isEverybodys ? { ...chosen, initial: EVERYBODY, isOwnByDefault: false } : chosen;
  const personId = hasPerson ? person.person_id : undefined;
  const query = useMemo(() => toQuery(filters, search, personId), [filters, search, personId]);
  // A page shows one list, so its hook stays the same.
  // oxlint-disable-next-line react/hooks -- see above
  const loaded = useList(query, !hasPerson || person.isReady);
  const loadedRows = loaded.rows;
  const rows = useMemo(() => arrange?.(loadedRows) ?? loadedRows, [arrange, loadedRows]);
  const list = { ...loaded, rows };
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const openId = options.openId ?? findOpen?.(list.rows);
  const cursor = useListCursor(ids, openId, (id) => {
    const row = list.rows.find((each) => each.id === id);
    if (row) onFollow?.(row);
  });
  const searchRef = useRef<HTMLInputElement>(null);
  const { ref: toolbarRef, heightPx: coveredPx } = useElementSize();
  return {
    query,
    list,
    loadedRows,
    ids,
    person,
    cursor,
    searchRef,
    toolbarRef,
    coveredPx,
    /** The row of the keyboard, else the open one. */
    current: list.rows.find(({ id }) => id === cursor.cursorId) ?? list.rows.find(({ id }) => id === openId),
    search,
    openId,
    onChange: onChange as (change: RawSearch) => void,
    isFiltered: hasFilters(filters, search) || (personId !== undefined && !person.isOwnByDefault),
    clear: () => onChange(clearFilters(filters)),
    onShowEverybody:
      hasPerson && person.isOwnByDefault ? () => onChange({ person: EVERYBODY } as unknown as SearchOf<F>) : null,
  };
}

export type CollectionState<R extends { id: string }, F extends FilterRows> = ReturnType<typeof useCollection<R, F>>;

interface CollectionPartsProps<R extends { id: string }, F extends FilterRows> {
  collection: Collection<R, F>;
  state: CollectionState<R, F>;
  /** Pass the same function while the rows look the same. */
  rowProps?: (row: R) => HTMLAttributes<HTMLElement> & { 'data-href'?: string };
  /** The links of the rows open a panel beside the list. */
  keepScroll?: boolean;
}

const plural = ({ label }: Pick<Collection<never, FilterRows>, 'label'>) => label.toLowerCase();

/** Why the list has no rows. */
function CollectionEmpty<R extends { id: string }, F extends FilterRows>({
  collection,
  state,
}: CollectionPartsProps<R, F>) {
  const { Empty } = collection;
  const { search, onChange, onShowEverybody, isFiltered, clear } = state;
  if (isFiltered) return <NoMatches onClear={clear}>No {plural(collection)} match these filters.</NoMatches>;
  return <Empty search={search} onChange={onChange} onShowEverybody={onShowEverybody} />;
}

/** The rows with their states. */
export function CollectionRows<R extends { id: string }, F extends FilterRows>(props: CollectionPartsProps<R, F>) {
  const { collection, state, rowProps, keepScroll = false } = props;
  const { label, body, what = label, skeletonRows = 8, filters } = collection;
  const { list, cursor, coveredPx, openId, search, onChange } = state;
  const initialSort = Object.values(filters).flatMap(({ look }) => (look.kind === 'sort' ? look.initial : []))[0];
  const propsOf = useCallback(
    (row: R) => {
      const { className, ...rest } = rowProps?.(row) ?? {};
      return { ...rest, className: cx(className, row.id === openId && OPEN_ROW) };
    },
    [rowProps, openId],
  );
  const shared = {
    label,
    list,
    what,
    older: `Older ${plural(collection)}`,
    loadingLabel: `Loading ${plural(collection)}`,
    skeletonRows,
    empty: <CollectionEmpty collection={collection} state={state} />,
  };
  if ('Row' in body) return <FramedList {...shared} {...body} onFocus={cursor.onFocus} />;
  if ('Tiles' in body)
    return (
      <ListStates {...shared} loading={<Loading label={shared.loadingLabel}>{body.skeleton}</Loading>}>
        <body.Tiles label={label} list={list} ids={state.ids} cursor={cursor} coveredPx={coveredPx} />
      </ListStates>
    );
  return (
    <ResourceList
      {...shared}
      {...body}
      cursor={cursor}
      coveredPx={coveredPx}
      keepScroll={keepScroll}
      rowProps={propsOf}
      {...(initialSort !== undefined && {
        sorting: {
          now: toSorting(search, initialSort),
          onChange: (sorting) => onChange(fromSorting(sorting, initialSort)),
        },
      })}
    />
  );
}

interface CollectionBarProps<R extends { id: string }, F extends FilterRows> {
  collection: Collection<R, F>;
  state: CollectionState<R, F>;
  /** Shown in place of the filters, as while rows are selected. */
  instead?: ReactNode;
  /** Further controls of the toolbar. */
  children?: ReactNode;
}

/** The filters. They stay in sight while the rows scroll, unless they are many. */
export function CollectionBar<R extends { id: string }, F extends FilterRows>(props: CollectionBarProps<R, F>) {
  const { collection, state, instead, children } = props;
  const { toolbarRef, searchRef, search, person, list, onChange } = state;
  const isSticky = !Object.values(collection.filters).some(isInBar);
  return (
    <div
      ref={isSticky ? toolbarRef : undefined}
      className={isSticky ? 'sticky top-13 z-10 -mx-4 bg-canvas px-4 py-3 md:top-0 md:-mx-8 md:px-8' : 'mb-3'}
    >
      {instead ?? (
        <CollectionToolbar
          label={`Filter ${plural(collection)}`}
          filters={collection.filters}
          search={search}
          person={person}
          rows={list.rows}
          onChange={onChange}
          searchRef={searchRef}
        >
          {children}
        </CollectionToolbar>
      )}
    </div>
  );
}

type CommandsOptions = Partial<Pick<Parameters<typeof useListCommands>[0], 'commands' | 'onOpen'>>;

/** The keys of a list: j and k move, f searches. */
export function useCollectionCommands<R extends { id: string }, F extends FilterRows>(
  { label, group = label, item, filters }: Pick<Collection<R, F>, 'label' | 'group' | 'item' | 'filters'>,
  { cursor, searchRef }: Pick<CollectionState<R, F>, 'cursor' | 'searchRef'>,
  options: CommandsOptions = {},
): void {
  const hasSearch = Object.values(filters).some(({ look }) => look.kind === 'text');
  useListCommands({
    group,
    item,
    onStep: cursor.step,
    ...(hasSearch && { onSearch: () => searchRef.current?.focus() }),
    ...options,
  });
}

export interface CollectionViewProps<R extends { id: string }, F extends FilterRows> extends CollectionStateOptions<
  R,
  F
> {
  collection: Collection<R, F>;
  /** Further controls of the toolbar. */
  children?: ReactNode;
}

/** A whole list: filters, rows, keys and states. */
export function CollectionView<R extends { id: string }, F extends FilterRows>(props: CollectionViewProps<R, F>) {
  const { collection, children, ...options } = props;
  const state = useCollection(collection, options);
  useCollectionCommands(collection, state);
  return (
    <div className="@container">
      <CollectionBar collection={collection} state={state}>
        {children}
      </CollectionBar>
      <CollectionRows collection={collection} state={state} />
    </div>
  );
}
