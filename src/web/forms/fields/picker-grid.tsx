import type { ReactNode } from 'react';
import { PickerTile } from './picker-tile.tsx';
import type { SelectableMedia, MediaPickerList } from './use-library.ts';
import { GridSkeleton } from '#web/media/library/grid-skeleton.tsx';
import { MediaGrid } from '#web/media/library/media-grid.tsx';
import type { MediaCursor } from '#web/media/library/use-media-cursor.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { Loading } from '#web/ui/skeleton.tsx';

export interface PickerGridProps {
  list: MediaPickerList;
  selected: readonly SelectableMedia[];
  covered_px: number;
  cursor: MediaCursor;
  empty: ReactNode;
  onToggle: (item: SelectableMedia) => void;
}

export function PickerGrid({ list, selected, covered_px, cursor, empty, onToggle }: PickerGridProps) {
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
        covered_px={covered_px}
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
