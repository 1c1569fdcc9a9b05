import type { ListedUpload } from '#contract/resources/upload.ts';
import { cx } from '#web/ui/cx.ts';
import { RowList } from '#web/ui/row-list.tsx';
import { Skeleton, SkeletonRows, skeletonTextWidth } from '#web/ui/skeleton.tsx';
import type { useListCursor } from '#web/ui/use-list-cursor.ts';
import { uploadRowGrid, UploadTableRow } from './upload-table-row.tsx';

const ROW_REM = 4.25;

export interface UploadsTableProps {
  uploads: readonly ListedUpload[];
  openId: string | undefined;
  cursor: ReturnType<typeof useListCursor>;
  selected: ReadonlyMap<string, unknown>;
  /** @param range selects all rows from the last selected one */
  onSelect: (upload: ListedUpload, range: boolean) => void;
  hasMore: boolean;
  onNearEnd: () => void;
  covered_px: number;
}

export function UploadsTable(props: UploadsTableProps) {
  const { uploads, openId, cursor, selected, onSelect, hasMore, onNearEnd, covered_px } = props;
  return (
    <>
      <UploadsTableHead />
      <RowList
        label="Uploads"
        items={uploads}
        row_rem={ROW_REM}
        keptIndex={cursor.cursor}
        reveal={cursor.reveal}
        hasMore={hasMore}
        more={<UploadsTableSkeleton rows={3} />}
        onNearEnd={onNearEnd}
        covered_px={covered_px}
      >
        {(upload) => (
          <UploadTableRow
            upload={upload}
            is_open={upload.id === openId}
            is_selected={selected.has(upload.id)}
            any_selected={selected.size > 0}
            onSelect={onSelect}
            onFocus={cursor.onFocus}
          />
        )}
      </RowList>
    </>
  );
}

/** Hidden from screen readers because every row names its own cells. */
export function UploadsTableHead() {
  return (
    <div
      aria-hidden="true"
      className={cx(uploadRowGrid, 'hidden h-9 border-b border-line text-xs font-medium text-ink-3 @3xl:grid')}
    >
      <span className="[grid-area:text]">Name</span>
      <span className="[grid-area:measure]">Type and dimensions</span>
      <span className="text-right [grid-area:size]">Size</span>
      <span className="text-right [grid-area:uses]">Used by</span>
      <span className="text-right [grid-area:time]">Uploaded</span>
    </div>
  );
}

export function UploadsTableSkeleton({ rows }: { rows: number }) {
  return (
    <SkeletonRows rows={rows} className={cx(uploadRowGrid, 'h-17')}>
      {(row) => (
        <>
          <Skeleton className="size-4 [grid-area:tick]" />
          <Skeleton className="size-12 [grid-area:thumb]" />
          <Skeleton
            className={cx('mb-1 h-4 self-end [grid-area:text] @3xl:mb-0 @3xl:self-center', skeletonTextWidth(row))}
          />
          <Skeleton className="mt-1 h-4 w-28 self-start [grid-area:measure] @3xl:mt-0 @3xl:self-center" />
          <Skeleton className="hidden h-4 w-14 justify-self-end [grid-area:size] @3xl:block" />
          <Skeleton className="hidden h-4 w-20 justify-self-end [grid-area:uses] @3xl:block" />
          <Skeleton className="mt-1 h-4 w-14 self-start justify-self-end [grid-area:time] @3xl:mt-0 @3xl:self-center" />
        </>
      )}
    </SkeletonRows>
  );
}
