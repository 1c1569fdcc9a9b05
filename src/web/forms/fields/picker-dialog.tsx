import { useCallback, useState } from 'react';
import type { MediaKind } from '#contract/task.ts';
import { PickerFilters } from './picker-filters.tsx';
import { PickerGrid } from './picker-grid.tsx';
import { type SelectableMedia, type MediaPickerFilters, useGeneratedMedia, useLibrary } from './use-library.ts';
import { formatReferenceCount, MEDIA_NOUNS } from '../format-field-value.ts';
import { cacheMediaInfo } from '#web/api/reference-info.ts';
import { useMediaCursor } from '#web/media/library/use-media-cursor.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoMatches } from '#web/ui/no-matches.tsx';
import { useElementSize } from '#web/ui/use-element-size.ts';

const NO_FILTERS: MediaPickerFilters = { q: '', origin: 'all', starred: false };

export interface PickerDialogProps {
  media: MediaKind;
  /** How many may be chosen. */
  room: number;
  onPick: (urls: readonly string[]) => void;
  onClose: () => void;
}

/** Chooses among results and uploads. */
export function PickerDialog({ media, room, onPick, onClose }: PickerDialogProps) {
  const [chosen, setChosen] = useState<readonly SelectableMedia[]>([]);
  const [one, many] = MEDIA_NOUNS[media];
  const pick = useCallback(
    (picked: readonly SelectableMedia[]) => {
      for (const medium of picked) cacheMediaInfo(medium);
      onPick(picked.map(({ url }) => url));
      onClose();
    },
    [onPick, onClose],
  );
  const toggle = useCallback(
    (medium: SelectableMedia) => {
      if (room === 1) return pick([medium]);
      setChosen((now) => {
        const others = now.filter(({ id }) => id !== medium.id);
        return others.length < now.length ? others : [...others, medium].slice(-room);
      });
    },
    [room, pick],
  );
  return (
    <Dialog
      open
      onClose={onClose}
      size="xl"
      title={room === 1 ? `Choose a ${one}` : `Choose ${many}`}
      description={room === 1 ? undefined : `Up to ${room}, in the order you pick them.`}
      footer={
        room === 1 ? null : (
          <>
            <Button variant="ghost" onClick={onClose}>
              Cancel
            </Button>
            <Button variant="primary" disabled={chosen.length === 0} onClick={() => pick(chosen)}>
              {chosen.length === 0 ? 'Add' : `Add ${formatReferenceCount(media, chosen.length)}`}
            </Button>
          </>
        )
      }
    >
      <div className="min-h-[min(60dvh,40rem)]">
        <LibraryPicker media={media} chosen={chosen} onToggle={toggle} />
      </div>
    </Dialog>
  );
}

interface SourceProps {
  media: MediaKind;
  chosen: readonly SelectableMedia[];
  onToggle: (medium: SelectableMedia) => void;
}

function LibraryPicker({ media, chosen, onToggle }: SourceProps) {
  const [filters, setFilters] = useState(NO_FILTERS);
  const { missing, ...shelf } = useLibrary(media, filters);
  const { ref, height_px } = useElementSize();
  const cursor = useMediaCursor();
  const [, many] = MEDIA_NOUNS[media];
  if (missing) return <GenerationPicker media={media} chosen={chosen} onToggle={onToggle} />;
  const narrowed = filters.q !== '' || filters.origin !== 'all' || filters.starred;
  return (
    <>
      <PickerFilters
        ref={ref}
        filters={filters}
        onChange={setFilters}
        onDown={() => cursor.moveTo(shelf.rows[0]?.id)}
      />
      <PickerGrid
        shelf={shelf}
        chosen={chosen}
        covered_px={height_px}
        cursor={cursor}
        onToggle={onToggle}
        empty={
          narrowed ? (
            <NoMatches onClear={() => setFilters(NO_FILTERS)}>No {many} match.</NoMatches>
          ) : (
            <EmptyLibrary many={many} />
          )
        }
      />
    </>
  );
}

/** For a service that keeps no library. */
function GenerationPicker({ media, chosen, onToggle }: SourceProps) {
  const [, many] = MEDIA_NOUNS[media];
  return (
    <PickerGrid
      shelf={useGeneratedMedia(media)}
      chosen={chosen}
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
