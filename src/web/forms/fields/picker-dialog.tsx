import { useCallback, useState } from 'react';
import type { MediaKind } from '#contract/task.ts';
import { PickerFilters } from './picker-filters.tsx';
import { PickerGrid } from './picker-grid.tsx';
import { type SelectableMedia, type MediaPickerFilters, useGeneratedMedia, useLibrary } from './use-library.ts';
import { formatReferenceCount } from '../format-field-value.ts';
import { cacheMediaInfo } from '#web/api/reference-info.ts';
import { useMediaCursor } from '#web/media/library/use-media-cursor.ts';
import { MEDIA_NOUNS, mediaNounWithArticle } from '#web/media/format-media.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { useElementSize } from '#web/ui/use-element-size.ts';

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

interface PickerProps {
  media: MediaKind;
  selected: readonly SelectableMedia[];
  onToggle: (item: SelectableMedia) => void;
}

function LibraryPicker({ media, selected, onToggle }: PickerProps) {
  const [filters, setFilters] = useState(NO_FILTERS);
  const { is_unsupported, ...list } = useLibrary(media, filters);
  const { ref, height_px } = useElementSize();
  const cursor = useMediaCursor();
  const [, many] = MEDIA_NOUNS[media];
  if (is_unsupported) return <GenerationPicker media={media} selected={selected} onToggle={onToggle} />;
  const is_filtered = filters.q !== '' || filters.origin !== 'all' || filters.starred;
  return (
    <>
      <PickerFilters ref={ref} filters={filters} onChange={setFilters} onDown={() => cursor.moveTo(list.rows[0]?.id)} />
      <PickerGrid
        list={list}
        selected={selected}
        covered_px={height_px}
        cursor={cursor}
        onToggle={onToggle}
        empty={
          is_filtered ? (
            <NoMatches onClear={() => setFilters(NO_FILTERS)}>No {many} match.</NoMatches>
          ) : (
            <EmptyLibrary many={many} />
          )
        }
      />
    </>
  );
}

/** For a service without a library. */
function GenerationPicker({ media, selected, onToggle }: PickerProps) {
  const [, many] = MEDIA_NOUNS[media];
  return (
    <PickerGrid
      list={useGeneratedMedia(media)}
      selected={selected}
      covered_px={0}
      cursor={useMediaCursor()}
      onToggle={onToggle}
      empty={<EmptyLibrary many={many} />}
    />
  );
}

function EmptyLibrary({ many }: { many: string }) {
  return (
    <EmptyState title="Nothing here yet">
      There are no {many} in the library. Close this dialog and upload one.
    </EmptyState>
  );
}
