import { Loading, Skeleton, SkeletonText } from '#web/ui/skeleton.tsx';
import { starterCardGrid } from './starter-card-grid.ts';

/** Cards that are on the way. */
export function StartersSkeleton() {
  return (
    <Loading label="Loading starters" className={starterCardGrid}>
      {Array.from({ length: 4 }, (_, at) => (
        <span key={at} className="flex h-92 flex-col overflow-hidden rounded-md border border-line bg-surface">
          <span className="h-28 flex-none border-b border-line bg-sunken" />
          <span className="flex flex-1 flex-col gap-3 p-4">
            <Skeleton className="h-5 w-2/5" />
            <SkeletonText lines={3} />
            <Skeleton className="mt-2 h-5 w-4/5" />
            <Skeleton className="mt-auto h-5 w-24" />
          </span>
        </span>
      ))}
    </Loading>
  );
}
