import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, type Ref } from 'react';
import type { ListedUpload } from '#contract/resources/upload.ts';
import { useSelection, totalBytes, type Selection } from '#web/media/library/selection/selection.ts';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { EVERYBODY, usePersonFilter, type PersonFilter } from '#web/api/queries/use-person-filter.ts';
import { removeCachedUploads, useUploadList, type UploadFilters } from '#web/api/queries/uploads.ts';
import { NoMatches } from '#web/ui/empty-state.tsx';
import { useElementSize } from '#web/ui/use-element-size.ts';
import { useListCursor, useListCommands } from '#web/ui/use-list-cursor.ts';
import { NoUploads } from './uploads-states.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import type { UploadsSearch } from './uploads-search.ts';
import { UploadsTable } from './uploads-table.tsx';
import { startOfLocalDay, formatDayRange } from '#web/ui/days.ts';
import { MadeByField, useMadeByChip } from '#web/collections/made-by-filter.tsx';
import { AppliedFilters, FilterMenu } from '#web/ui/filter-menu.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { Download, Trash2, X } from 'lucide-react';
import { formatFileSize } from '#web/media/format-media.ts';
import { useMediaDownload } from '#web/media/library/selection/use-media-download.ts';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import { Button, ToolbarButton } from '#web/ui/button.tsx';
import { ShareButton } from '#web/forms/shares/share-button.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

export function UploadsView({ search, openId }: { search: UploadsSearch; openId: string | undefined }) {
  const person = usePersonFilter(search.person);
  const { person_id } = person;
  const filters = useMemo(() => toUploadFilters(search, person_id), [search, person_id]);
  const list = useUploadList(filters, person.isReady);
  const { rows } = list;
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const { selection, toggle, extend, drop, all, leave } = useSelection(rows);
  const moveToTrash = useMoveToTrash();
  const canDelete = useCan('work.create');
  const client = useQueryClient();
  const navigate = useNavigate();
  const open = useCallback(
    (id: string, replace = false) =>
      void navigate({ to: '/uploads/$id', params: { id }, search: (before) => before, replace, resetScroll: false }),
    [navigate],
  );
  const follow = useCallback((id: string) => open(id, true), [open]);
  const cursor = useListCursor(ids, openId, follow);
  const searchBox = useRef<HTMLInputElement>(null);
  const { ref: toolbar, heightPx: coveredPx } = useElementSize();
  const change = (next: UploadsSearch) => void navigate({ to: '.', search: next, replace: true, resetScroll: false });
  const onSelect = useCallback(
    (upload: ListedUpload, range: boolean) => (range ? extend(upload) : toggle(upload)),
    [extend, toggle],
  );
  const current = rows.find(({ id }) => id === cursor.cursorId) ?? rows.find(({ id }) => id === openId);
  const chosen = selection.media;
  const onDelete = () => {
    const ids = chosen.size > 0 ? [...chosen.keys()] : current ? [current.id] : [];
    void moveToTrash(ids, (gone) => {
      removeCachedUploads(client, gone);
      drop(gone);
      if (openId !== undefined && gone.has(openId))
        void navigate({ to: '/uploads', search: (before) => before, replace: true, resetScroll: false });
    });
  };
  const close = () => {
    if (openId === undefined) return leave();
    void navigate({ to: '/uploads', search: (before) => before, resetScroll: false });
    cursor.moveTo(openId, { follow: false });
  };
  useListCommands({
    group: 'Uploads',
    item: 'row',
    onStep: cursor.step,
    onOpen: () => current && open(current.id),
    onSearch: () => searchBox.current?.focus(),
    commands: [
      { keys: 'x', label: 'Select the row', run: () => current && onSelect(current, false) },
      { keys: 'shift+x', label: 'Select up to the row', run: () => current && onSelect(current, true) },
      { keys: 'mod+a', label: 'Select all loaded rows', run: all },
      ...(canDelete ? [{ keys: 'delete', label: 'Delete the row or the selection', run: onDelete }] : []),
      { keys: 'escape', label: 'Close the panel or clear the selection', run: close },
    ],
  });

  const isFiltered = Object.keys(filters).length > (person.isOwnByDefault ? 1 : 0);
  return (
    <>
      <div ref={toolbar} className="sticky top-13 z-10 -mx-4 bg-canvas px-4 py-3 md:top-0 md:-mx-8 md:px-8">
        {chosen.size > 0 ? (
          <UploadsSelectionBar selection={selection} rows={rows} onAll={all} onClear={leave} onDelete={onDelete} />
        ) : (
          <UploadsToolbar
            search={search}
            person={person}
            searchRef={searchBox}
            onChange={(part) => change(omitUndefined({ ...search, ...part }))}
          />
        )}
      </div>
      <UploadsTable
        list={list}
        openId={openId}
        cursor={cursor}
        selected={chosen}
        onSelect={onSelect}
        coveredPx={coveredPx}
        empty={
          isFiltered ? (
            <NoMatches onClear={() => change({})}>No uploads match these filters.</NoMatches>
          ) : (
            <NoUploads onShowEverybody={person.isOwnByDefault ? () => change({ person: EVERYBODY }) : null} />
          )
        }
      />
    </>
  );
}

/**
 * Translates search parameters to list filters; `created_before` is exclusive.
 * @param person_id whose uploads; undefined: everybody's
 */
export function toUploadFilters({ kind, from, to, q }: UploadsSearch, person_id?: string): UploadFilters {
  const filters: UploadFilters = {
    type: kind,
    created_after: startOfLocalDay(from)?.toISOString(),
    created_before: startOfLocalDay(to, 1)?.toISOString(),
    q,
    person_id,
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

const KINDS = [
  { value: 'all', label: 'All' },
  { value: 'image', label: 'Images' },
  { value: 'video', label: 'Videos' },
  { value: 'audio', label: 'Audio' },
] as const;

interface UploadsToolbarProps {
  search: UploadsSearch;
  person: PersonFilter;
  searchRef: Ref<HTMLInputElement>;
  onChange: (change: { [K in keyof UploadsSearch]: UploadsSearch[K] | undefined }) => void;
}

function UploadsToolbar({ search, person, searchRef, onChange }: UploadsToolbarProps) {
  const { kind, from, to, q } = search;
  const madeBy = useMadeByChip(person, onChange);
  return (
    <search aria-label="Filter uploads" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-3">
        <SearchBox
          ref={searchRef}
          label="Search names"
          value={q ?? ''}
          onChange={(text) => onChange({ q: text || undefined })}
          className="min-w-36 flex-1 @3xl:max-w-72"
        />
        <SegmentedControl
          label="Type"
          value={kind ?? 'all'}
          options={KINDS}
          className="@3xl:mr-auto @max-3xl:order-last @max-3xl:w-full @max-3xl:*:flex-1"
          onChange={(value) => onChange({ kind: value === 'all' ? undefined : value })}
        />
        <FilterMenu values={[person.person_id]} from={from} to={to} onDaysChange={onChange}>
          <MadeByField filter={person} onChange={onChange} />
        </FilterMenu>
      </div>
      <AppliedFilters
        filters={[
          madeBy,
          { label: formatDayRange(from, to), onRemove: () => onChange({ from: undefined, to: undefined }) },
        ]}
      />
    </search>
  );
}

interface UploadsSelectionBarProps {
  selection: Selection<ListedUpload>;
  rows: readonly ListedUpload[];
  onAll: () => void;
  onClear: () => void;
  onDelete: () => void;
}

function UploadsSelectionBar({ selection, rows, onAll, onClear, onDelete }: UploadsSelectionBarProps) {
  const uploads = [...selection.media.values()];
  const archive = useMediaDownload();
  const canDelete = useCan('work.create');
  const [first] = uploads;
  const commonType = first && uploads.every(({ type }) => type === first.type) ? first.type : null;
  const unselectedCount = rows.filter(({ id }) => !selection.media.has(id)).length;
  const several = uploads.length > 1;
  return (
    <section
      aria-label="Selection"
      className="flex min-h-9 flex-wrap items-center gap-x-1.5 gap-y-2 pointer-coarse:min-h-11"
    >
      <IconButton label="Clear selection" icon={<X aria-hidden="true" className="size-4" />} onClick={onClear} />
      <output className="mr-auto min-w-0 text-sm tabular-nums">
        <span className="font-semibold">{formatNumber(uploads.length)} selected</span>
        <span className="text-ink-3"> · {formatFileSize(totalBytes(uploads))}</span>
      </output>
      {unselectedCount > 0 ? (
        <Button size="sm" variant="ghost" onClick={onAll}>
          <span className="@max-md:sr-only">Select all</span>
          <span aria-hidden="true" className="@md:hidden">
            All
          </span>{' '}
          {formatNumber(rows.length)} <span className="@max-md:sr-only">loaded</span>
        </Button>
      ) : null}
      {commonType ? <ContinueWithMenu type={commonType} mediaIds={uploads.map(({ id }) => id)} /> : null}
      <ShareButton mediaIds={uploads.map(({ id }) => id)} />
      <ToolbarButton
        icon={<Download aria-hidden="true" className="size-4" />}
        busy={archive.isPending}
        onClick={() => void archive.download(uploads)}
      >
        {several ? 'Download ZIP' : 'Download'}
      </ToolbarButton>
      {canDelete ? (
        <ToolbarButton icon={<Trash2 aria-hidden="true" className="size-4" />} onClick={onDelete}>
          Delete
        </ToolbarButton>
      ) : null}
    </section>
  );
}
