import { useCallback, useState, type ReactNode, type KeyboardEvent, type Ref } from 'react';
import type { MediaKind } from '#contract/task.ts';
import { type SelectableMedia, type MediaPickerFilters, useLibrary, type MediaPickerList } from './use-library.ts';
import { formatReferenceCount } from '#web/forms/values/format-field-value.ts';
import { cacheMediaInfo } from '#web/api/reference-info.ts';
import { useMediaCursor, type MediaCursor } from '#web/media/library/use-media-cursor.ts';
import { MEDIA_NOUNS, mediaNounWithArticle } from '#web/media/format-media.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { EmptyState, NoMatches } from '#web/ui/display/empty-state.tsx';
import { useElementSize } from '#web/ui/hooks/use-element-size.ts';
import { PickerTile } from './picker-tile.tsx';
import { GridSkeleton } from '#web/media/library/grid-skeleton.tsx';
import { MediaGrid } from '#web/media/library/media-grid.tsx';
import { ListStates } from '#web/api/list-states.tsx';
import { Loading } from '#web/ui/display/skeleton.tsx';
import { Star } from 'lucide-react';
import { ORIGIN_LABELS } from '#web/media/library/media-labels.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { SearchBox } from '#web/ui/controls/search-box.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';

const NO_FILTERS: MediaPickerFilters = { q: '', origin: 'all', starred: false };

export interface PickerDialogProps {
  media: MediaKind;
  /** Maximum number of items. */
  room: number;
  onPick: (urls: readonly string[]) => void;
  onClose: () => void;
}

export function PickerDialog({ media, room, onPick, onClose }: PickerDialogProps) {
  const [selected, setSelected] = useState<readonly SelectableMedia[]>([]);
  const [, many] = MEDIA_NOUNS[media];
  const pick = useCallback(
    (items: readonly SelectableMedia[]) => {
      for (const item of items) cacheMediaInfo(item);
      onPick(items.map(({ url }) => url));
      onClose();
    },
    [onPick, onClose],
  );
  const toggle = useCallback(
    (item: SelectableMedia) => {
      if (room === 1) return pick([item]);
      setSelected((current) => {
        const others = current.filter(({ id }) => id !== item.id);
        return others.length < current.length ? others : [...others, item].slice(-room);
      });
    },
    [room, pick],
  );
  return (
    <Dialog
      open
      onClose={onClose}
      size="xl"
      title={room === 1 ? `Choose ${mediaNounWithArticle(media)}` : `Choose ${many}`}
      description={room === 1 ? undefined : `Up to ${room}, in the order you select them.`}
      footer={
        room === 1 ? null : (
          <>
            <Button variant="ghost" onClick={onClose}>
              Cancel
            </Button>
            <Button variant="primary" disabled={selected.length === 0} onClick={() => pick(selected)}>
              {selected.length === 0 ? 'Add' : `Add ${formatReferenceCount(media, selected.length)}`}
            </Button>
          </>
        )
      }
    >
      <div className="min-h-[min(60dvh,40rem)]">
        <LibraryPicker media={media} selected={selected} onToggle={toggle} />
      </div>
    </Dialog>
  );
}

interface LibraryPickerProps {
  media: MediaKind;
  selected: readonly SelectableMedia[];
  onToggle: (item: SelectableMedia) => void;
}

function LibraryPicker({ media, selected, onToggle }: LibraryPickerProps) {
  const [filters, setFilters] = useState(NO_FILTERS);
  const list = useLibrary(media, filters);
  const { ref, heightPx } = useElementSize();
  const cursor = useMediaCursor();
  const [, many] = MEDIA_NOUNS[media];
  const isFiltered = filters.q !== '' || filters.origin !== 'all' || filters.starred;
  return (
    <>
      <PickerFilters ref={ref} filters={filters} onChange={setFilters} onDown={() => cursor.moveTo(list.rows[0]?.id)} />
      <PickerGrid
        list={list}
        selected={selected}
        coveredPx={heightPx}
        cursor={cursor}
        onToggle={onToggle}
        empty={
          isFiltered ? (
            <NoMatches onClear={() => setFilters(NO_FILTERS)}>No {many} match.</NoMatches>
          ) : (
            <EmptyState title="Nothing here yet">
              There are no {many} in the library. Close this dialog and upload one.
            </EmptyState>
          )
        }
      />
    </>
  );
}

interface PickerGridProps {
  list: MediaPickerList;
  selected: readonly SelectableMedia[];
  coveredPx: number;
  cursor: MediaCursor;
  empty: ReactNode;
  onToggle: (item: SelectableMedia) => void;
}

function PickerGrid({ list, selected, coveredPx, cursor, empty, onToggle }: PickerGridProps) {
  return (
    <ListStates
      list={list}
      what="The library"
      older="Older media"
      empty={empty}
      loading={
        <Loading label="Loading">
          <GridSkeleton rows={3} />
        </Loading>
      }
    >
      <MediaGrid
        label="Library media"
        media={list.rows}
        hasMore={list.hasMore}
        onNearEnd={list.onNearEnd}
        coveredPx={coveredPx}
        cursor={cursor}
        renderTile={(item, box, tabbable) => (
          <PickerTile
            key={item.id}
            {...box}
            item={item}
            position={selected.findIndex(({ id }) => id === item.id) + 1}
            ordered={selected.length > 1}
            tabbable={tabbable}
            onToggle={onToggle}
            onFocus={cursor.onFocus}
          />
        )}
      />
    </ListStates>
  );
}

const ORIGINS = [
  { value: 'all', label: 'All' },
  { value: 'generated', label: ORIGIN_LABELS.generated },
  { value: 'upload', label: ORIGIN_LABELS.upload },
] as const;

interface PickerFiltersProps {
  ref: Ref<HTMLElement>;
  filters: MediaPickerFilters;
  onChange: (filters: MediaPickerFilters) => void;
  /** Moves the focus to the results. */
  onDown: () => void;
}

function PickerFilters({ ref, filters, onChange, onDown }: PickerFiltersProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || !(event.target instanceof HTMLInputElement) || event.target.type === 'radio')
      return;
    event.preventDefault();
    onDown();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles a key of the input inside
    <search
      ref={ref}
      aria-label="Filter"
      onKeyDown={onKeyDown}
      className="sticky -top-4 z-1 -mx-5 -mt-4 flex flex-wrap items-center gap-2 bg-raised px-5 py-3"
    >
      <SearchBox
        label="Search prompts and names"
        value={filters.q}
        onChange={(q) => onChange({ ...filters, q })}
        className="min-w-40 flex-1"
      />
      <SegmentedControl
        label="Source"
        value={filters.origin}
        options={ORIGINS}
        onChange={(origin) => onChange({ ...filters, origin })}
      />
      <IconButton
        outlined
        label="Starred only"
        pressed={filters.starred}
        icon={<Star aria-hidden="true" className={filters.starred ? 'size-4 fill-amber text-amber-text' : 'size-4'} />}
        onClick={() => onChange({ ...filters, starred: !filters.starred })}
      />
    </search>
  );
}
