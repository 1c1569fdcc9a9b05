import type { ReactNode } from 'react';
import { PickerTile } from './picker-tile.tsx';
import type { SelectableMedia, MediaPickerList } from './use-library.ts';
import { GridSkeleton } from '#web/media/library/grid-skeleton.tsx';
import { MediaGrid } from '#web/media/library/media-grid.tsx';
import type { MediaCursor } from '#web/media/library/use-media-cursor.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { Loading } from '#web/ui/skeleton.tsx';

export interface PickerGridProps {
  shelf: MediaPickerList;
  chosen: readonly SelectableMedia[];
  covered_px: number;
  cursor: MediaCursor;
  /** Where there is nothing to choose from. */
  empty: ReactNode;
  onToggle: (medium: SelectableMedia) => void;
}

/** Media as toggles. */
export function PickerGrid({ shelf, chosen, covered_px, cursor, empty, onToggle }: PickerGridProps) {
  return (
    <ListStates
      list={shelf}
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
        label="To choose from"
        media={shelf.rows}
        hasMore={shelf.hasMore}
        onNearEnd={shelf.onNearEnd}
        covered_px={covered_px}
        cursor={cursor}
        renderTile={(medium, box, tabbable) => (
          <PickerTile
            key={medium.id}
            {...box}
            medium={medium}
            position={chosen.findIndex(({ id }) => id === medium.id) + 1}
            ordered={chosen.length > 1}
            tabbable={tabbable}
            onToggle={onToggle}
            onFocus={cursor.onFocus}
          />
        )}
      />
    </ListStates>
  );
}
