import { generationRowGrid } from './generation-table-row.tsx';
import { cx } from '#web/ui/cx.ts';
import { Skeleton, SkeletonRows, skeletonTextWidth } from '#web/ui/skeleton.tsx';

export function GenerationTableSkeleton({ rows }: { rows: number }) {
  return (
    <SkeletonRows rows={rows} className={cx(generationRowGrid, 'h-17')}>
      {(row) => (
        <>
          <Skeleton className="size-12 [grid-area:thumb]" />
          <Skeleton
            className={cx('mb-1 h-4 self-end [grid-area:text] @3xl:mb-0 @3xl:self-center', skeletonTextWidth(row))}
          />
          <Skeleton className="hidden h-4 w-28 [grid-area:kind] @3xl:block" />
          <Skeleton className="mt-0.5 h-5 w-18 self-start [grid-area:status] @3xl:mt-0 @3xl:self-center" />
          <Skeleton className="mt-1 h-4 w-12 self-start justify-self-end [grid-area:cost] @3xl:mt-0 @3xl:self-center" />
          <Skeleton className="mt-1 h-4 w-14 self-start [grid-area:time] @3xl:mt-0 @3xl:self-center @3xl:justify-self-end" />
        </>
      )}
    </SkeletonRows>
  );
}

export function GenerationGallerySkeleton({ tiles }: { tiles: number }) {
  return (
    <div
      aria-hidden="true"
      className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3 @3xl:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))]"
    >
      {Array.from({ length: tiles }, (_, tile) => (
        <span key={tile} className="block">
          <Skeleton className="aspect-square w-full rounded-md" />
          <Skeleton className="mt-2.5 h-3.5 w-4/5" />
          <Skeleton className="mt-2 h-3 w-2/5" />
        </span>
      ))}
    </div>
  );
}
