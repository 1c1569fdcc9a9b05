import { use } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { useHasSeveralPeople } from '#web/api/queries/people.ts';
import { type MediaFilters, useMediaList } from '#web/api/queries/media.ts';
import { type Collection, defineCollection, type TilesProps } from '#web/collections/collection-view.tsx';
import { GridSkeleton } from '#web/media/library/grid-skeleton.tsx';
import { MediaGrid } from '#web/media/library/media-grid.tsx';
import { EmptyLibrary, EmptyTrash, NoUploads } from './empty-library.tsx';
import { LibraryRowsContext } from './library-rows.ts';
import { LIBRARY_FILTERS, TRASH_FILTERS, UPLOAD_FILTERS } from './library-search.ts';
import { LibraryTile } from './library-tile.tsx';
import { preloadViewer } from './open-media.tsx';
import { UPLOAD_COLUMNS } from './upload-columns.tsx';
import type { LibraryScope } from './use-library-address.ts';

type LibraryCollection = Collection<MediaItem, typeof LIBRARY_FILTERS>;

type Scope = Pick<LibraryCollection, 'label' | 'what' | 'Empty'> &
  Partial<LibraryCollection> & {
    /** What the list has besides the filters. */
    only?: MediaFilters;
  };

const defineScope = ({ only, ...scope }: Scope): LibraryCollection =>
  defineCollection({
    group: 'Library',
    item: 'item',
    filters: LIBRARY_FILTERS,
    useList: function useScope(query, isReady) {
      return useMediaList({ ...query, ...only }, isReady);
    },
    body: { Tiles: MediaTiles, skeleton: <GridSkeleton rows={4} /> },
    ...scope,
  });

export const LIBRARY = {
  library: defineScope({ label: 'Media', what: 'Your library', Empty: EmptyLibrary }),
  uploads: defineScope({
    label: 'Uploads',
    what: 'Your uploads',
    only: { origin: 'upload' },
    // The others stay unset.
    filters: UPLOAD_FILTERS as typeof LIBRARY_FILTERS,
    body: {
      columns: UPLOAD_COLUMNS,
      narrow: {
        columns: '1.25rem 3rem minmax(0,1fr) auto auto',
        areas: ['tick thumb text text action', 'tick thumb measure time action'],
      },
      rowRem: 4.25,
    },
    skeletonRows: 10,
    Empty: NoUploads,
  }),
  trash: defineScope({
    label: 'Deleted files',
    what: 'The trash',
    only: { in_trash: 'true' },
    filters: TRASH_FILTERS,
    Empty: EmptyTrash,
  }),
} satisfies Record<LibraryScope, LibraryCollection>;

function MediaTiles({ label, list, cursor, coveredPx }: TilesProps<MediaItem>) {
  const showsCreator = useHasSeveralPeople();
  const rows = use(LibraryRowsContext);
  if (!rows) return null;
  const { actions, selected, isSelecting, hrefOf, formatRetention, stackOf } = rows;
  return (
    <div onPointerEnter={preloadViewer} onFocus={preloadViewer}>
      <MediaGrid
        label={label}
        media={list.rows}
        hasMore={list.hasMore}
        onNearEnd={list.onNearEnd}
        coveredPx={coveredPx}
        cursor={cursor}
        onSpace={actions.toggle}
        onExtend={actions.extend}
        renderTile={(medium, box, tabbable) => (
          <LibraryTile
            key={medium.id}
            {...box}
            medium={medium}
            showsCreator={showsCreator}
            href={hrefOf(medium)}
            retentionLabel={formatRetention(medium)}
            {...stackOf(medium)}
            selected={selected.has(medium.id)}
            selecting={isSelecting}
            tabbable={tabbable}
            actions={actions}
          />
        )}
      />
    </div>
  );
}
