import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useRef } from 'react';
import type { ListedUpload } from '#contract/resources/upload.ts';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { useSelection } from '#web/media/library/selection/selection.ts';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { EVERYBODY, usePersonFilter } from '#web/api/queries/use-person-filter.ts';
import { removeCachedUploads, useUploadList, type UploadFilters } from '#web/api/queries/uploads.ts';
import { NoMatches } from '#web/ui/empty-state.tsx';
import { useElementSize } from '#web/ui/use-element-size.ts';
import { useListCursor, useListCommands } from '#web/ui/use-list-cursor.ts';
import { UploadListUnsupported, NoUploads } from './uploads-states.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import type { UploadsSearch } from './uploads-search.ts';
import { UploadsSelectionBar } from './uploads-selection-bar.tsx';
import { UploadsTable } from './uploads-table.tsx';
import { UploadsToolbar } from './uploads-toolbar.tsx';
import { startOfLocalDay } from '#web/ui/days.ts';

export function UploadsView({ search, openId }: { search: UploadsSearch; openId: string | undefined }) {
  const person = usePersonFilter(search.person);
  const { person_id } = person;
  const filters = useMemo(() => toUploadFilters(search, person_id), [search, person_id]);
  const list = useUploadList(filters, person.is_ready);
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
  const { ref: toolbar, height_px: coveredPx } = useElementSize();
  const change = (next: UploadsSearch) => void navigate({ to: '.', search: next, replace: true, resetScroll: false });
  const onSelect = useCallback(
    (upload: ListedUpload, range: boolean) => (range ? extend(upload) : toggle(upload)),
    [extend, toggle],
  );
  const current = rows.find(({ id }) => id === cursor.cursorId) ?? rows.find(({ id }) => id === openId);
  const chosen = selection.media;
  const onDelete = () => {
    const doomed = chosen.size > 0 ? [...chosen.keys()] : current ? [current.id] : [];
    void moveToTrash(doomed, (gone) => {
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

  if (isMissingFeature(list.problem)) return <UploadListUnsupported />;
  const isFiltered = Object.keys(filters).length > (person.is_own_by_default ? 1 : 0);
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
            <NoUploads onShowEverybody={person.is_own_by_default ? () => change({ person: EVERYBODY }) : null} />
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
